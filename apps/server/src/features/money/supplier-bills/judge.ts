import type { BillPart, BillVerdict } from '@voisol/contract/supplier-bills'
import { formatFrenchNumber } from '../../../french.ts'
import { formatWhAsKwh } from '../../../papers/decimals.ts'
import { formatPeriod } from '../../../papers/words.ts'

export type PrintedQuantities = { deductedKwh: number; billedKwh: number | null }
export type BillCheck = {
  verdict: BillVerdict
  expectedWh: number | null
  consumedWh: number | null
  sentences: string[]
}

const WATT_MINUTES_PER_KWH = 60_000
const WATT_MINUTES_PER_WH = 60

/** Exact watt-minutes of all parts; null when a part is unknown, which is not zero. */
function sumParts(parts: readonly BillPart[], of: 'local' | 'consumed'): number | null {
  let sum = 0
  for (const part of parts) {
    if (part.source === 'outside') continue
    const value = part[of]
    if (value === null) return null
    sum += value
  }
  return sum
}
/** Rounds once, at the end. */
const roundToUnit = (wattMinutes: number, unit: number) => Math.floor((2 * wattMinutes + unit) / (2 * unit))
/** A supplier prints whole kWh with its own rounding: less than one kWh is no difference. */
const isDifferent = (printed: number, wattMinutes: number) =>
  Math.abs(printed * WATT_MINUTES_PER_KWH - wattMinutes) >= WATT_MINUTES_PER_KWH

const UNKNOWN_REASONS: Partial<Record<BillPart['source'], string>> = {
  missing: 'il manque des relevés ou un calcul',
  provisional: 'les chiffres ne sont pas encore définitifs',
}

function describeGaps(parts: readonly BillPart[]): string[] {
  return parts.flatMap((part) => {
    const why = UNKNOWN_REASONS[part.source]
    if (part.source === 'outside')
      return [`${formatPeriod(part)}\u00a0: le compteur n’était pas dans une opération, rien n’est à déduire.`]
    return why ? [`${formatPeriod(part)}\u00a0: ${why}.`] : []
  })
}

function checkDeduction(deductedKwh: number, local: number): { verdict: BillVerdict; text: string } {
  const due = formatWhAsKwh(roundToUnit(local, WATT_MINUTES_PER_WH))
  if (!isDifferent(deductedKwh, local))
    return {
      verdict: 'right',
      text: `Le fournisseur a déduit ${formatFrenchNumber(deductedKwh)}\u00a0kWh, et la part locale est de ${due}\u00a0: c’est juste, au kWh près.`,
    }
  const off = Math.abs(roundToUnit(local, WATT_MINUTES_PER_KWH) - deductedKwh)
  const short = deductedKwh * WATT_MINUTES_PER_KWH < local
  return {
    verdict: short ? 'short' : 'over',
    text: `Le fournisseur a déduit ${formatFrenchNumber(deductedKwh)}\u00a0kWh, et la part locale est de ${due}\u00a0: il en a déduit ${formatFrenchNumber(off)}\u00a0kWh ${short ? 'de moins' : 'de trop'}.`,
  }
}

function describePayable(billedKwh: number | null, consumed: number | null, local: number): string[] {
  if (billedKwh === null || consumed === null) return []
  const due = formatWhAsKwh(roundToUnit(consumed - local, WATT_MINUTES_PER_WH))
  return isDifferent(billedKwh, consumed - local)
    ? [`Il facture ${formatFrenchNumber(billedKwh)}\u00a0kWh, et il en reste ${due} une fois la part locale déduite.`]
    : [`Les ${billedKwh}\u00a0kWh qu’il facture sont bien ce qui reste une fois la part locale déduite.`]
}

/** Whether the local share was deducted correctly, to the kWh. With a gap in the data nothing is reported as wrong. */
export function evaluateBill(parts: readonly BillPart[], { deductedKwh, billedKwh }: PrintedQuantities): BillCheck {
  const [local, consumed] = [sumParts(parts, 'local'), sumParts(parts, 'consumed')]
  const known = parts.every(({ source }) => source === 'distributor' || source === 'definitive' || source === 'outside')
  const consumedWh = consumed === null ? null : roundToUnit(consumed, WATT_MINUTES_PER_WH)
  if (local === null || !known) {
    const why = 'On ne peut pas encore dire si la déduction est juste\u00a0:'
    return { verdict: 'unknown', expectedWh: null, consumedWh, sentences: [why, ...describeGaps(parts)] }
  }
  const { verdict, text } = checkDeduction(deductedKwh, local)
  const sentences = [text, ...describePayable(billedKwh, consumed, local), ...describeGaps(parts)]
  return { verdict, expectedWh: roundToUnit(local, WATT_MINUTES_PER_WH), consumedWh, sentences }
}
