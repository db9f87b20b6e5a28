import type { Consent } from '@voisol/contract/consents'
import { frenchDay, plural } from '../../../french.ts'
import { today } from '../../../today.ts'
import { consentsOf, currentText } from '../../energy/consents/consents.ts'
import type { Content, Maker } from './content.ts'
import { standingSeats } from './seats.ts'

const STATES: Record<Consent['state'], string> = {
  valid: 'En cours',
  expiring: 'Finit bientôt',
  expired: 'Fini',
  withdrawn: 'Retiré',
}
const METHODS: Record<Consent['method'], string> = {
  portal: 'Portail',
  paper: 'Papier',
  import: 'Reprise',
  joining: 'Adhésion en ligne',
}
const PURPOSES: Consent['purpose'][] = ['collection', 'analysis', 'comparison', 'advice']
const titleOf = (purpose: Consent['purpose']) => currentText(purpose)?.title ?? purpose
const dayOf = (instant: string) =>
  new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'Europe/Paris' }).format(new Date(instant))

/** Each word that those who take part have given, with its proof; and the texts that were shown to them. */
export const consentsPack: Maker = async (db, _deps, { companyId }, { operation }): Promise<Content> => {
  const seats = await standingSeats(db, companyId, operation.id, today())
  const people = new Map(seats.map(({ participantId, name }) => [participantId, name]))
  const prms = Map.groupBy(seats, ({ participantId }) => participantId)
  const kept = await consentsOf(db, companyId, [...people.keys()])
  const order = (consent: Consent) => [...people.keys()].indexOf(consent.participantId)
  const sorted = kept.toSorted((a, b) => order(a) - order(b))
  const silent = [...people.keys()].filter(
    (id) => !kept.some((one) => one.participantId === id && one.purpose === 'collection' && one.state !== 'withdrawn'),
  )
  return {
    header: [
      'Participant',
      'PRM',
      'Finalité',
      'Version du texte',
      'Donné le',
      'Moyen',
      'Enregistré par',
      'Jusqu’au',
      'Retiré le',
      'État',
    ],
    rows: sorted.map((one) => [
      people.get(one.participantId) ?? '',
      [...new Set((prms.get(one.participantId) ?? []).map(({ prm }) => prm))].join(', '),
      titleOf(one.purpose),
      one.textVersion,
      dayOf(one.givenAt),
      METHODS[one.method],
      one.recordedBy,
      frenchDay(one.expiresOn),
      one.withdrawnAt ? dayOf(one.withdrawnAt) : '',
      STATES[one.state],
    ]),
    subjects: sorted.map(({ id }) => id),
    missing:
      silent.length > 0
        ? [`${plural(silent.length, 'participant', 'participants')} sans consentement à la collecte`]
        : [],
    sheet: {
      lead: `${plural(sorted.length, 'consentement', 'consentements')} de ${plural(people.size, 'participant', 'participants')}.`,
      columns: [
        { head: 'Participant', part: 30 },
        { head: 'Finalité', part: 28 },
        { head: 'Donné le', part: 14 },
        { head: 'Jusqu’au', part: 14 },
        { head: 'État', part: 14 },
      ],
      rows: sorted.map((one) => [
        people.get(one.participantId) ?? '',
        titleOf(one.purpose),
        dayOf(one.givenAt),
        frenchDay(one.expiresOn),
        STATES[one.state],
      ]),
      after: PURPOSES.flatMap((purpose) => {
        const text = currentText(purpose)
        return text ? [{ title: `${text.title} (texte ${text.version})`, text: text.text }] : []
      }),
    },
  }
}
