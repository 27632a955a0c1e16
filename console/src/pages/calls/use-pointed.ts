import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** How long after it moved last a pointer still aims at something, milliseconds. */
const AIMS_MS = 2_000;

/** Whether somebody aims at something here with a mouse, a pen or a finger: what is aimed at must not move away. */
export function usePointed() {
  const [pointed, setPointed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const place = useRef('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const rest = () => {
    clearTimeout(timer.current);
    setPointed(false);
  };
  const aim = ({ type, clientX, clientY }: PointerEvent) => {
    // a browser also tells of a pointer that rests where something moved below it
    const now = `${type} ${clientX} ${clientY}`;
    if (type === 'pointermove' && now === place.current) return;
    place.current = now;
    clearTimeout(timer.current);
    timer.current = setTimeout(rest, AIMS_MS);
    setPointed(true);
  };
  return {
    pointed,
    handlers: {
      onPointerMove: aim,
      onPointerDown: aim,
      // a finger that is lifted has left before it clicks
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') rest();
      },
    },
  };
}
