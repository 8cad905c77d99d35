/** The drawings of the easy-read page: one idea each, with few lines. */
import { Drawing, Flat, Limb, paint, Shape, Signal } from './ink.tsx';
import { ClinicDoor, Letter } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

const GROUND = 'M24 130C60 84 210 84 240 130 256 168 200 186 130 186S6 170 24 130Z';

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

/** A phone with one large button, and a thumb that presses it. */
export function PhoneDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="mist" />
      <Shape d="M76 190q-10 0-10-11V21q0-11 10-11h76q10 0 10 11v158q0 11-10 11Z" fill="card" />
      <path d="M84 40h52M84 58h62M84 76h40" />
      <Shape d="M86 108h56q8 0 8 9v16q0 9-8 9H86q-8 0-8-9v-16q0-9 8-9Z" fill="marigold" />
      <Limb d="M228 184 206 158 158 130" fill="skin" width={20} />
    </Drawing>
  );
}

/** A large switch, turned off. */
export function StopDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <Shape d="M84 56H176a44 44 0 0 1 0 88H84a44 44 0 0 1 0-88Z" fill="mist" shift="4 3" />
      <circle cx="84" cy="100" r="35" fill={paint('clay')} />
      <path d="M72 88 96 112M96 88 72 112" strokeWidth="5" stroke={paint('light')} />
      <path d="M150 100h36" />
    </Drawing>
  );
}

/** The open door of a clinic. */
export function DoorDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <g transform="translate(76 186) scale(1.3)">
        <ClinicDoor at="0 0" />
      </g>
      <path d="M40 186H226" />
    </Drawing>
  );
}

/** A letter and a pen. */
export function LetterDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="mist" />
      <g transform="translate(44 176) scale(2)">
        <Letter at="0 0" />
      </g>
      <Limb d="M222 70 176 140" fill="marigold" width={14} />
      <path d="M176 140 166 156" strokeWidth="5" />
    </Drawing>
  );
}
