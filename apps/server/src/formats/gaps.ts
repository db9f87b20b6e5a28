import { MISSING } from '@voisol/energy/series'
import { formatCount, formatFrenchTime } from '../french.ts'
import type { Intervals } from './intervals.ts'
import type { ParseReport } from './report.ts'

/** Reports the holes between the first and the last row of a point, as ranges. */
export function reportGaps({ length, starts, steps, watts, lines }: Intervals, prm: string, report: ParseReport): void {
  let from = -1
  let missing = 0
  let line = 0
  let end = starts[0] ?? 0
  const close = (to: number) => {
    if (missing > 0) {
      const [opens, count] = [from, missing]
      report.warning(
        'gap',
        line,
        prm,
        () =>
          `Du ${formatFrenchTime(opens)} au ${formatFrenchTime(to)}, ${formatCount(count, 'pas', 'pas')} sans valeur.`,
      )
    }
    missing = 0
  }
  for (let at = 0; at < length; at++) {
    const start = starts[at] ?? 0
    const step = steps[at] ?? 1
    const hole = watts[at] === MISSING
    if ((start > end || hole) && missing === 0) {
      from = Math.min(end, start)
      line = lines[at] ?? 0
    }
    missing += (start - end) / step + (hole ? 1 : 0)
    end = start + step
    if (!hole) close(start)
  }
  close(end)
}
