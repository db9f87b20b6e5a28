import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { Line } from '@voisol/money/lines'
import { ruleLabel } from './names.ts'
import type { StoredMonth } from './stored.ts'

const CLASSES: Record<string, string> = {
  P: 'pointe',
  HPH: 'heures pleines, saison haute',
  HCH: 'heures creuses, saison haute',
  HPB: 'heures pleines, saison basse',
  HCB: 'heures creuses, saison basse',
}
const EVERY = { month: 'mois', quarter: 'trimestre', year: 'année' } as const

/** « Énergie locale, heures pleines, saison basse — Toiture école »: what the rule names is what the line is of. */
function energyLabel(line: Line, { input, frame }: StoredMonth): string {
  const rule = input.tariffs.flatMap(({ rules }) => rules).find(({ id }) => id === line.rule)
  const producer = frame.producers.find(({ id }) => id === rule?.producer)
  const own = ruleLabel(frame.labels, line.rule)
  const hours = rule?.class ? `, ${CLASSES[rule.class] ?? rule.class}` : ''
  const whose = producer?.label || own
  return `Énergie locale${hours}${whose ? ` — ${whose}` : ''}`
}

function labelOf(line: Line, month: StoredMonth): string {
  if (line.kind === 'fee') {
    const own = month.frame.labels[line.rule] || 'Frais'
    return `${own}${line.kva === null ? '' : ` (${line.kva}\u00a0kVA)`}, par ${EVERY[line.every]}`
  }
  return line.kind === 'accise' ? `Accise sur l’électricité, ${line.acciseClass}` : energyLabel(line, month)
}

/** A line with what is printed of it. */
export const lineOf = (line: Line, month: StoredMonth): SnapshotLine => {
  const label = labelOf(line, month)
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
