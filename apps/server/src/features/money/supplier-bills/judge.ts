import type { BillPart, BillVerdict } from '@voisol/contract/supplier-bills'
import { frenchNumber } from '../../../french.ts'
import { kwh } from '../../../papers/decimals.ts'
import { spanWords } from '../../../papers/words.ts'

export type Said = { deductedKwh: number; billedKwh: number | null }
export type Judged = { verdict: BillVerdict; expectedWh: number | null; consumedWh: number | null; sentences: string[] }

const KWH = 60_000
const WH = 60

/** Exact watt-minutes of all parts; null where one of them is not known, which is not nothing. */
function sumOf(parts: readonly BillPart[], of: 'local' | 'consumed'): number | null {
  let sum = 0
  for (const part of parts) {
    if (part.source === 'outside') continue
    const value = part[of]
    if (value === null) return null
    sum += value
  }
  return sum
}
/** Rounded once, at the end. */
const whole = (wattMinutes: number, unit: number) => Math.floor((2 * wattMinutes + unit) / (2 * unit))
/** A supplier prints whole kWh, rounded its way: less than one of them is no difference. */
const differs = (printed: number, wattMinutes: number) => Math.abs(printed * KWH - wattMinutes) >= KWH

const UNKNOWN: Partial<Record<BillPart['source'], string>> = {
  missing: 'il manque des relevés ou un calcul',
  provisional: 'les chiffres ne sont pas encore définitifs',
}

function gaps(parts: readonly BillPart[]): string[] {
  return parts.flatMap((part) => {
    const why = UNKNOWN[part.source]
    if (part.source === 'outside')
      return [`${spanWords(part)}\u00a0: le compteur n’était pas dans une opération, rien n’est à déduire.`]
    return why ? [`${spanWords(part)}\u00a0: ${why}.`] : []
  })
}

function deduction(deductedKwh: number, local: number): { verdict: BillVerdict; text: string } {
  const due = kwh(whole(local, WH))
  if (!differs(deductedKwh, local))
    return {
      verdict: 'right',
      text: `Le fournisseur a déduit ${frenchNumber(deductedKwh)}\u00a0kWh, et la part locale est de ${due}\u00a0: c’est juste, au kWh près.`,
    }
  const off = Math.abs(whole(local, KWH) - deductedKwh)
  const short = deductedKwh * KWH < local
  return {
    verdict: short ? 'short' : 'over',
    text: `Le fournisseur a déduit ${frenchNumber(deductedKwh)}\u00a0kWh, et la part locale est de ${due}\u00a0: il en a déduit ${frenchNumber(off)}\u00a0kWh ${short ? 'de moins' : 'de trop'}.`,
  }
}

function payable(billedKwh: number | null, consumed: number | null, local: number): string[] {
  if (billedKwh === null || consumed === null) return []
  const due = kwh(whole(consumed - local, WH))
  return differs(billedKwh, consumed - local)
    ? [`Il facture ${frenchNumber(billedKwh)}\u00a0kWh, et il en reste ${due} une fois la part locale déduite.`]
    : [`Les ${billedKwh}\u00a0kWh qu’il facture sont bien ce qui reste une fois la part locale déduite.`]
}

/** Whether the local share was taken off right, to the kWh. With a gap nothing is said to be wrong. */
export function judge(parts: readonly BillPart[], { deductedKwh, billedKwh }: Said): Judged {
  const [local, consumed] = [sumOf(parts, 'local'), sumOf(parts, 'consumed')]
  const known = parts.every(({ source }) => source === 'distributor' || source === 'definitive' || source === 'outside')
  const consumedWh = consumed === null ? null : whole(consumed, WH)
  if (local === null || !known) {
    const why = 'On ne peut pas encore dire si la déduction est juste\u00a0:'
    return { verdict: 'unknown', expectedWh: null, consumedWh, sentences: [why, ...gaps(parts)] }
  }
  const { verdict, text } = deduction(deductedKwh, local)
  const sentences = [text, ...payable(billedKwh, consumed, local), ...gaps(parts)]
  return { verdict, expectedWh: whole(local, WH), consumedWh, sentences }
}
