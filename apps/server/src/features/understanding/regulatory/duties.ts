import type { RegulatoryObligation } from '@voisol/contract/regulatory'
import { addMonths } from '@voisol/energy/calendar'
import { addDays } from '@voisol/money/days'
import { formatCount, formatFrenchDay, formatFrenchMonth, formatMonthWithDe } from '../../../french.ts'
import { MOVEMENT_LABELS, type Movement } from './movements.ts'

/** Days and delays, from the company's settings. */
export type DutyTerms = {
  movementDays: number
  coefficientDays: number
  consentDays: number
  vatDay: number
  yearlyDays: number
}
export type DutyMark = { doneOn: string; by: string; note: string }
export type DutyFacts = {
  operations: { id: string; name: string }[]
  /** Movements by operation; `toldOn` when a notice or the participation gives the day. */
  movements: (Movement & { operationId: string; toldOn: string | null })[]
  /** Months of operations whose coefficients must be sent; years in which an operation ran. */
  dynamic: { operationId: string; month: string; sentOn: string | null }[]
  years: { operationId: string; year: string; sentOn: string | null }[]
  /** Months in which a seller issued documents with VAT. */
  taxed: { sellerId: string; seller: string; month: string }[]
  /** Consents to data collection that end without renewal, by participant. */
  expiries: { participantId: string; expiresOn: string }[]
  marks: ReadonlyMap<string, DutyMark>
}
type DutyDraft = Pick<RegulatoryObligation, 'key' | 'label' | 'detail' | 'dueOn' | 'make'> & { sentOn?: string | null }

/** An obligation due within this many days is due soon. */
export const DUE_SOON_DAYS = 14

function toDuty(
  { sentOn = null, ...draft }: DutyDraft,
  marks: DutyFacts['marks'],
  today: string,
): RegulatoryObligation {
  const mark = marks.get(draft.key)
  const doneOn = mark?.doneOn ?? sentOn
  const open = draft.dueOn < today ? 'late' : draft.dueOn <= addDays(today, DUE_SOON_DAYS) ? 'soon' : 'later'
  return { ...draft, state: doneOn ? 'done' : open, doneOn, by: mark?.by ?? '', note: mark?.note ?? '' }
}

/** Movements of an operation on one day are one obligation, done once all of them were notified. */
function buildMovementDuties({ movements, operations }: DutyFacts, { movementDays }: DutyTerms): DutyDraft[] {
  const names = new Map(operations.map(({ id, name }) => [id, name]))
  return [...Map.groupBy(movements, ({ operationId, on }) => `movements:${operationId}:${on}`)].flatMap(
    ([key, own]) => {
      const [first] = own
      if (!first) return []
      const counts = [...Map.groupBy(own, ({ what }) => what)].map(
        ([what, some]) => `${MOVEMENT_LABELS[what].toLowerCase()} (${some.length})`,
      )
      const noticeDays = own.map(({ toldOn }) => toldOn)
      return [
        {
          key,
          label: `Annoncer au distributeur les mouvements du ${formatFrenchDay(first.on)}`,
          detail: `${names.get(first.operationId) ?? ''}\u00a0: ${counts.join(', ')}`,
          dueOn: addDays(first.on, -movementDays),
          make: { operationId: first.operationId, kind: 'movements', period: first.on.slice(0, 7) },
          sentOn: noticeDays.every((day) => day !== null) ? (noticeDays.toSorted().at(-1) ?? null) : null,
        },
      ]
    },
  )
}

function buildPeriodicDuties({ operations, dynamic, years, taxed }: DutyFacts, terms: DutyTerms): DutyDraft[] {
  const names = new Map(operations.map(({ id, name }) => [id, name]))
  return [
    ...dynamic.map(
      ({ operationId, month, sentOn }): DutyDraft => ({
        key: `coefficients:${operationId}:${month}`,
        label: `Transmettre les coefficients ${formatMonthWithDe(`${month}-01`)}`,
        detail: names.get(operationId) ?? '',
        dueOn: addDays(addMonths(`${month}-01`, 1), terms.coefficientDays - 1),
        make: { operationId, kind: 'coefficients', period: month },
        sentOn,
      }),
    ),
    ...years.map(
      ({ operationId, year, sentOn }): DutyDraft => ({
        key: `yearly:${operationId}:${year}`,
        label: `Établir le bilan de l’année ${year}`,
        detail: names.get(operationId) ?? '',
        dueOn: addDays(`${Number(year) + 1}-01-01`, terms.yearlyDays - 1),
        make: { operationId, kind: 'yearly', period: year },
        sentOn,
      }),
    ),
    ...taxed.map(
      ({ sellerId, seller, month }): DutyDraft => ({
        key: `vat:${sellerId}:${month}`,
        label: `Déclarer la TVA ${formatMonthWithDe(`${month}-01`)}`,
        detail: seller,
        dueOn: addDays(addMonths(`${month}-01`, 1), terms.vatDay - 1),
        make: null,
      }),
    ),
  ]
}

function buildConsentDuties({ expiries }: DutyFacts, { consentDays }: DutyTerms): DutyDraft[] {
  return [...Map.groupBy(expiries, ({ expiresOn }) => expiresOn.slice(0, 7))].flatMap(([month, own]) => {
    const first = own.map(({ expiresOn }) => expiresOn).toSorted()[0]
    if (!first) return []
    return [
      {
        key: `consents:${month}`,
        label: `Renouveler les consentements qui finissent en ${formatFrenchMonth(`${month}-01`)}`,
        detail: `${formatCount(own.length, 'participant', 'participants')}, le premier le ${formatFrenchDay(first)}`,
        dueOn: addDays(first, -consentDays),
        make: null,
      },
    ]
  })
}

/** The obligations of a year, earliest first. */
export function buildDuties(facts: DutyFacts, terms: DutyTerms, year: number, today: string): RegulatoryObligation[] {
  return [
    ...buildMovementDuties(facts, terms),
    ...buildPeriodicDuties(facts, terms),
    ...buildConsentDuties(facts, terms),
  ]
    .filter(({ dueOn }) => dueOn.startsWith(`${year}-`))
    .map((draft) => toDuty(draft, facts.marks, today))
    .sort((a, b) => (a.dueOn === b.dueOn ? a.key.localeCompare(b.key) : a.dueOn < b.dueOn ? -1 : 1))
}
