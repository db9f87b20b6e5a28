import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { DocumentLine } from '@voisol/money/lines'
import { getRuleLabel } from './names.ts'
import type { MonthResult } from './stored.ts'

const TIME_CLASS_LABELS: Record<string, string> = {
  P: 'pointe',
  HPH: 'heures pleines, saison haute',
  HCH: 'heures creuses, saison haute',
  HPB: 'heures pleines, saison basse',
  HCB: 'heures creuses, saison basse',
}
const FEE_PERIOD_LABELS = { month: 'mois', quarter: 'trimestre', year: 'année' } as const

/** « Énergie locale, heures pleines, saison basse — Toiture école »: the label follows what the price rule names. */
function buildEnergyLabel(line: DocumentLine, { input, frame }: MonthResult): string {
  const rule = input.tariffs.flatMap(({ rules }) => rules).find(({ id }) => id === line.rule)
  const producer = frame.producers.find(({ id }) => id === rule?.producer)
  const own = getRuleLabel(frame.labels, line.rule)
  const hours = rule?.class ? `, ${TIME_CLASS_LABELS[rule.class] ?? rule.class}` : ''
  const whose = producer?.label || own
  return `Énergie locale${hours}${whose ? ` — ${whose}` : ''}`
}

function buildLineLabel(line: DocumentLine, month: MonthResult): string {
  if (line.kind === 'fee') {
    const own = month.frame.labels[line.rule] || 'Frais'
    return `${own}${line.kva === null ? '' : ` (${line.kva}\u00a0kVA)`}, par ${FEE_PERIOD_LABELS[line.every]}`
  }
  return line.kind === 'accise' ? `Accise sur l’électricité, ${line.acciseClass}` : buildEnergyLabel(line, month)
}

/** A line with its printed label. */
export const toSnapshotLine = (line: DocumentLine, month: MonthResult): SnapshotLine => {
  const label = buildLineLabel(line, month)
  if (line.kind !== 'energy') return { ...line, label }
  const { index, ...trace } = line.trace
  if (!index) return { ...line, label, trace: { ...trace, index: null } }
  const { value, base, fixedBp, floor, cap } = index
  return {
    ...line,
    label,
    trace: {
      ...trace,
      index: {
        value,
        base,
        ...(fixedBp === undefined ? {} : { fixedBp }),
        ...(floor === undefined ? {} : { floor }),
        ...(cap === undefined ? {} : { cap }),
      },
    },
  }
}
