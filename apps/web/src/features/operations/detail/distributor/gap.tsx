import { energy, number } from '../../../../lib/format.ts'

const MINUS = '\u2212'
const NOTHING = { fine: 0.05, whole: 0.5 }

/** A difference with its sign; nothing is said as nothing. A step is a few watt-hours: there a tenth counts. */
export const Gap = ({ wattHours, fine = false }: { wattHours: number | null; fine?: boolean }) => {
  if (wattHours === null) return <span className="text-ink-soft">–</span>
  const size = Math.abs(wattHours)
  if (size < NOTHING[fine ? 'fine' : 'whole']) return <span className="text-ink-soft">Aucun</span>
  return (
    <span className="font-medium whitespace-nowrap">
      {wattHours > 0 ? '+' : MINUS}
      {fine ? `${number(size, 1)}\u00a0Wh` : energy(size)}
    </span>
  )
}
