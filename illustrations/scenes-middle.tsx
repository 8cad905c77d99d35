import { Drawing, Flat, paint, Shape, Signal } from './ink.tsx';
import { FolderStack, LabTubes, Letter } from './objects.tsx';
import { PowerChairUser } from './people.tsx';

/** The tower of paper that leans, and the thread that is lost in it. */
export function ProblemDrawing() {
  return (
    <Drawing box="0 0 440 380">
      <Flat d="M40 300C90 250 360 250 410 300 440 340 360 372 220 372S0 350 40 300Z" fill="sand" />
      <FolderStack at="128 338" />
      <g transform="translate(142 272) rotate(5)">
        <FolderStack at="0 0" />
      </g>
      <g transform="translate(166 206) rotate(11)">
        <FolderStack at="0 0" />
      </g>
      <g transform="translate(206 118) rotate(20)">
        <Letter at="0 0" />
      </g>
      <g transform="translate(330 214) rotate(-12)">
        <Letter at="0 0" />
      </g>
      <LabTubes at="300 344" />
      <path d="M8 40c60 0 70 70 40 92s-60-22-24-40 90 34 60 78-78 6-50-24 70 40 58 84-60 26-44-2 60-10 74 26" />
      <path d="M122 254l10 16M122 254l18 8" />
      <Signal d="M60 352l26-6M394 320l28 10M364 90l16 20" size={13} dash="40 9" />
    </Drawing>
  );
}

/** The owner's door, and its only key on the owner's string, which comes from the line at the left edge. */
export function PrivacyDrawing() {
  return (
    <Drawing box="-104 0 400 300">
      <Flat d="M40 240C30 130 90 40 160 44S282 130 268 240C240 290 70 290 40 240Z" fill="pine" />
      <Shape d="M88 264V124C88 60 200 60 200 124V264Z" fill="plum" shift="5 3" />
      <path d="M104 264V128c0-44 80-44 80 0v136M144 96v168M70 264H232" />
      <path d="M158 190v14" strokeWidth="4" />
      <circle cx="158" cy="184" r="5" fill={paint('marigold')} />
      <path d="M-102 30C-102 120-40 60-20 92S-46 140-52 116 0 92 30 112s40 40 70 40 30-40 60-30 60 0 76 20" />
      <path d="M236 142v22" />
      <circle cx="236" cy="182" r="18" fill={paint('marigold')} />
      <circle cx="236" cy="182" r="6" />
      <path d="M236 200v58M236 240h16M236 254h12" strokeWidth="9" />
      <path d="M236 200v58M236 240h16M236 254h12" strokeWidth="4.5" stroke={paint('marigold')} />
    </Drawing>
  );
}

/** The road stops, the signpost is blank, and everyone is calm. */
export function LostDrawing() {
  const road = 'M1400 316H330';
  return (
    <Drawing box="0 0 520 360">
      <Flat d="M60 250C120 200 420 200 480 260 520 310 420 350 260 350S0 310 60 250Z" fill="sand" />
      <path d={road} strokeWidth="46" />
      <path d={road} strokeWidth="41.5" stroke={paint('mist')} />
      <Signal d={road} />
      <path d="M330 316c-60 0-70-30-110-26s-40 44-8 40 20-56-40-50-70 40-120 36" />
      <path d="M150 292V96" strokeWidth="10" />
      <path d="M150 292V96" strokeWidth="5.5" stroke={paint('card')} />
      <Shape d="M70 122 92 98h88l-4 46H92Z" fill="marigold" />
      <Shape d="M122 160h92l22 22-20 24-92-2Z" fill="mist" />
      <PowerChairUser at="340 292" top="clay" legs="pine" skin="skin-deep" />
    </Drawing>
  );
}
