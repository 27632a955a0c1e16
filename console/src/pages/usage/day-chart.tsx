import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { count, duration } from '../../components/quantities.ts';
import { DAY, markedDays } from './marked-days.ts';
import type { Measure } from './measure.ts';
import type { UsageRow } from './queries.ts';
import { themeColour } from './theme-colour.ts';
import styles from './usage.module.css';

interface DayChartProps {
  readonly days: readonly UsageRow[];
  readonly measure: Measure;
  /** What it shows in a sentence; the numbers stand in the table. */
  readonly label: string;
  /** The day under the pointer. */
  readonly onPoint: (day: UsageRow | undefined) => void;
}

const HEIGHT = 220;

/** A bar a day. Drawn on a canvas; loaded with this page alone. */
export default function DayChart({ days, measure, label, onPoint }: DayChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const pointed = useRef(onPoint);
  useEffect(() => {
    pointed.current = onPoint;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let chart: uPlot | undefined;
    const draw = () => {
      chart?.destroy();
      chart = new uPlot(
        optionsOf(element, measure, (at) => pointed.current(days[at ?? -1])),
        dataOf(days, measure),
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    // colours of a canvas do not follow the theme by themselves
    const chosen = new MutationObserver(draw);
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      chosen.disconnect();
      dark.removeEventListener('change', draw);
      chart?.destroy();
    };
  }, [days, measure]);
  return <div ref={place} className={styles['chart']} role="img" aria-label={label} />;
}

function dataOf(days: readonly UsageRow[], measure: Measure): uPlot.AlignedData {
  const times = days.map(({ key }) => Date.parse(key ?? '') / 1_000);
  if (measure === 'time') return [times, days.map(({ meanMs }) => meanMs)];
  return [times, days.map(({ calls }) => calls), days.map(({ errors }) => errors)];
}

function optionsOf(
  element: HTMLElement,
  measure: Measure,
  onPoint: (index: number | null | undefined) => void,
): uPlot.Options {
  const [ink, line, accent, bad] = ['--ink-soft', '--line', '--accent', '--bad'].map((name) =>
    themeColour(element, name),
  ) as [string, string, string, string];
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const bars = uPlot.paths.bars!({ size: [0.7, 48] });
  const bar = (colour: string): uPlot.Series => ({
    stroke: colour,
    fill: colour,
    width: 0,
    paths: bars,
    points: { show: false },
  });
  const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { show: false } } as const;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    // half of a day's name stands beside the last bar
    padding: [8, 24, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      // half a day on both sides, so that the first and the last bar are whole
      x: { range: (_chart, least, most) => [least - DAY / 2, most + DAY / 2] },
      y: { range: (_chart, _least, most) => [0, Math.max(most * 1.1, 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: ({ data: [days] }, _axis, _least, _most, every) => markedDays(days, every),
        values: (_chart, at) => at.map(dayText),
        space: 64,
        incrs: [1, 2, 7, 14, 28, 84].map((days) => days * DAY),
      },
      {
        ...axis,
        size: 52,
        values: (_chart, at) => at.map((value) => (measure === 'time' ? duration(value) : wholeText(value))),
      },
    ],
    series: measure === 'time' ? [{}, bar(accent)] : [{}, bar(accent), bar(bad)],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
}

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function dayText(seconds: number): string {
  return dayName.format(new Date(seconds * 1_000));
}

/** There are no halves of calls. */
function wholeText(value: number): string {
  return Number.isInteger(value) ? count(value) : '';
}
