import { formatEnergy, formatNumber } from '../../../../../lib/format.ts'

const MINUS = '\u2212'
const NEGLIGIBLE_WH = { fine: 0.05, whole: 0.5 }

/** A difference with its sign; nothing is said as nothing. A step is a few watt-hours: there a tenth counts. */
export const EnergyDifference = ({ wattHours, fine = false }: { wattHours: number | null; fine?: boolean }) => {
  if (wattHours === null) return <span className="text-ink-soft">–</span>
  const size = Math.abs(wattHours)
  if (size < NEGLIGIBLE_WH[fine ? 'fine' : 'whole']) return <span className="text-ink-soft">Aucun</span>
  return (
    <span className="font-medium whitespace-nowrap">
      {wattHours > 0 ? '+' : MINUS}
      {fine ? `${formatNumber(size, 1)}\u00a0Wh` : formatEnergy(size)}
    </span>
  )
}
