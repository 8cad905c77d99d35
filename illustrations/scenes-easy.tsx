/** The drawings of the easy-read page: one idea each, with few lines. */
import { Drawing, Flat, Limb, paint, Shape, Signal } from './ink.tsx';
import { FolderStack, LabTubes, Letter } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

/** The patch of colour below a drawing. */
export const GROUND = 'M24 130C60 84 210 84 240 130 256 168 200 186 130 186S6 170 24 130Z';

/** Someone in a power chair, and a companion. */
export function TogetherDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <PowerChairUser at="24 186" top="pine" legs="plum" skin="skin" />
      <Walker at="164 186" top="clay" legs="pine" skin="skin-deep" />
      <path d="M10 186H250" />
    </Drawing>
  );
}

/** A signpost with two arms; both ways are open. */
export function ChoiceDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="mist" />
      <Signal d="M130 190C126 160 84 158 30 150M130 190C134 160 176 158 230 150" dash="20 16" />
      <path d="M130 176V20" strokeWidth="10" />
      <path d="M130 176V20" strokeWidth="5.5" stroke={paint('card')} />
      <Shape d="M28 52 50 30H134V74H50Z" fill="marigold" />
      <Shape d="M126 86H210L232 108 210 130H126Z" fill="pine" shift="-3 2" />
    </Drawing>
  );
}

/** A locked box, and its only key on the owner's string. */
export function KeyDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <path d="M62 92V64C62 20 128 20 128 64v28" strokeWidth="13" />
      <path d="M62 92V64C62 20 128 20 128 64v28" strokeWidth="8.5" stroke={paint('mist')} />
      <Shape d="M36 92H154V176H36Z" fill="plum" />
      <circle cx="95" cy="126" r="10" fill={paint('marigold')} />
      <path d="M95 136v18" strokeWidth="6" />
      <path d="M206 20C240 44 186 62 206 84" />
      <circle cx="206" cy="104" r="20" fill={paint('marigold')} />
      <circle cx="206" cy="104" r="7" />
      <path d="M206 124v52M206 158h16M206 172h12" strokeWidth="9" />
      <path d="M206 124v52M206 158h16M206 172h12" strokeWidth="4.5" stroke={paint('marigold')} />
    </Drawing>
  );
}

/** A large switch, turned off. */
export function StopDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <Shape d="M84 56H176a44 44 0 0 1 0 88H84a44 44 0 0 1 0-88Z" fill="mist" shift="4 3" />
      <circle cx="84" cy="100" r="35" fill={paint('light')} />
    </Drawing>
  );
}

/** A letter and a pen. */
export function LetterDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="mist" />
      <Shape d="M48 168 44 48 184 44 192 168Z" fill="card" shift="4 3" />
      <path d="M68 76h68M70 100h80M70 124h68M72 146h44" />
      <Limb d="M222 70 176 140" fill="marigold" width={14} />
      <path d="M176 140 166 156" strokeWidth="5" />
    </Drawing>
  );
}

/** Notes from many places: folders, a letter, tubes from the lab. */
export function RecordsDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <FolderStack at="24 180" />
      <g transform="translate(34 114) rotate(5)">
        <FolderStack at="0 0" />
      </g>
      <g transform="translate(160 92) rotate(9)">
        <Letter at="0 0" />
      </g>
      <LabTubes at="168 184" />
    </Drawing>
  );
}

/** A magnifying glass over two notes: what is small becomes clear. */
export function StudyDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="mist" />
      <Shape d="M66 14 170 22 163 130H60Z" fill="sand" />
      <Shape d="M32 36 138 28 148 168 42 176Z" fill="card" />
      <path d="M52 58 98 54M54 78 104 74M56 98 90 96M58 118 96 116M60 138 112 134" />
      <Limb d="M196 134 236 176" fill="plum" width={20} />
      <circle cx="162" cy="98" r="46" fill={paint('mist')} />
      <path d="M118 112C124 110 128 108 132 104M196 90l11-4" />
      <Signal d="M132 104C144 92 150 108 164 104S184 92 196 90" size={15} dash="20 24" />
      <circle cx="162" cy="98" r="46" strokeWidth="11" />
      <circle cx="162" cy="98" r="46" strokeWidth="6.5" stroke={paint('marigold')} />
    </Drawing>
  );
}
