/** The drawings of a phone and of doors, for the help pages. All help pages' drawings have one width, so that their lines are equally heavy. */
import type { ReactNode } from 'react';
import { Drawing, Flat, Limb, paint, Shape, Signal } from './ink.tsx';
import { GROUND } from './scenes-easy.tsx';

/** A phone with one large button, and a finger on the middle of it. */
export function PhoneDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="mist" />
      <Shape d="M66 192q-10 0-10-11V19q0-11 10-11h80q10 0 10 11v162q0 11-10 11Z" fill="card" />
      <path d="M74 34h44M74 50h62M74 66h34" />
      <Shape d="M76 90h60q8 0 8 8v24q0 8-8 8H76q-8 0-8-8V98q0-8 8-8Z" fill="marigold" />
      <g transform="translate(104 110) rotate(-64)">
        <path
          d="M-9 62V9a9 9 0 0 1 18 0V44a8 8 0 0 1 16 0v4a7.5 7.5 0 0 1 15 0v4a6.5 6.5 0 0 1 13 0V76q0 16-9 30H6Q-8 96-24 82q-9-8-3-15t15 1Z"
          fill={paint('skin')}
        />
        <path d="M9 44V64M25 48V66M40 52V66" />
        <path d="M0 104H50L62 230H-16Z" fill={paint('pine')} />
      </g>
    </Drawing>
  );
}

/** A phone on a holder that is fixed to the armrest of a power chair, next to the joystick. */
export function MountDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <path d="M220 48 224 30" strokeWidth="4" />
      <Limb d="M223 28 226 16" fill="mist" width={17} />
      <Limb d="M202 124 218 52" fill="mist" width={22} />
      <Shape d="M100 128q0-9 10-9h96q11 0 9 11l-4 30H120q-16-8-20-32Z" fill="plum" />
      <Limb d="M110 118H198" fill="pine" width={18} />
      <path d="M108 132 90 178H68" />
      <path d="M164 88V110" strokeWidth="6" />
      <Limb d="M122 90 98 126 60 108" fill="mist" width={11} />
      <circle cx="98" cy="126" r="3" />
      <Limb d="M114 88H208" fill="clay" width={14} />
      <path d="M138 80V58" strokeWidth="4" />
      <Shape d="M126 81V70H150V81Z" fill="card" shift="2 1" />
      <circle cx="138" cy="54" r="8" fill={paint('marigold')} />
      <Shape d="M26 114q-8 0-8-8V14q0-8 8-8H80q8 0 8 8v92q0 8-8 8Z" fill="card" />
      <path d="M30 26H58M30 40H72M30 54H50" />
      <Signal d="M30 84C40 70 46 92 60 80" size={10} dash="11 13" />
      <circle cx="72" cy="78" r="8" strokeDasharray="1 5" stroke={paint('clay')} strokeWidth="3" />
      <circle cx="172" cy="158" r="29" fill={paint('shade')} />
      <circle cx="172" cy="158" r="18" fill={paint('marigold')} />
      <circle cx="116" cy="174" r="13" fill={paint('shade')} />
      <circle cx="116" cy="174" r="8" fill={paint('card')} />
      <circle cx="220" cy="177" r="10" fill={paint('shade')} />
      <circle cx="220" cy="177" r="6" fill={paint('card')} />
      <path d="M14 188H250" />
    </Drawing>
  );
}

/** The open door of the partner, whose sign is a folder of records. The line leads to it. */
export function DoorDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <OpenDoor at="58 186" leaf="plum">
        <path d="M106-128H176M122-128v12M164-128v12" />
        <Shape d="M110-116H178V-62H110Z" fill="card" />
        <path d="M122-72V-104H138l5 6H166V-72Z" fill={paint('marigold')} />
      </OpenDoor>
      <path d="M14 186H246" />
      <Signal d="M139 178C176 190 202 148 236 161" size={11} dash="20 16" />
    </Drawing>
  );
}

/** The open door of a clinic. */
export function ClinicDrawing() {
  return (
    <Drawing box="0 0 260 200">
      <Flat d={GROUND} fill="sand" />
      <OpenDoor at="76 186" leaf="pine">
        <path d="M39-110v24m-12-12h24" strokeWidth="6" stroke={paint('light')} />
      </OpenDoor>
      <path d="M40 186H226" />
    </Drawing>
  );
}

/** 108 wide, 166 high; its base is at y = 0, its left edge at x = 0. */
function OpenDoor({
  at,
  leaf,
  children,
}: {
  at: string;
  leaf: 'plum' | 'pine';
  children: ReactNode;
}) {
  return (
    <g transform={`translate(${at})`}>
      <Shape d="M2 0 5-164 104-166 107 0Z" fill="sand" />
      <path d="M22-140 91-143 92-1" />
      <Shape d="M21 0 22-140 70-127 72 8Z" fill={leaf} shift="-3 2" />
      <path d="M60-62v14" />
      {children}
    </g>
  );
}
