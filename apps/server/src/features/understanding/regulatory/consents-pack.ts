import type { Consent } from '@voisol/contract/consents'
import { formatCount, formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { getCurrentConsentText, loadConsents } from '../../energy/consents/consents.ts'
import type { ExportBuilder, ExportContent } from './export-content.ts'
import { listCurrentParticipations } from './participation-movements.ts'

const STATE_LABELS: Record<Consent['state'], string> = {
  valid: 'En cours',
  expiring: 'Finit bientôt',
  expired: 'Fini',
  withdrawn: 'Retiré',
}
const METHOD_LABELS: Record<Consent['method'], string> = {
  portal: 'Portail',
  paper: 'Papier',
  import: 'Reprise',
  joining: 'Adhésion en ligne',
}
const LISTED_PURPOSES: Consent['purpose'][] = ['collection', 'analysis', 'comparison', 'advice']
const getPurposeTitle = (purpose: Consent['purpose']) => getCurrentConsentText(purpose)?.title ?? purpose
const formatInstantDay = (instant: string) =>
  new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'Europe/Paris' }).format(new Date(instant))

/** Each consent of the members with its proof, and the texts that were shown. */
export const buildConsentsPack: ExportBuilder = async (
  db,
  _deps,
  { companyId },
  { operation },
): Promise<ExportContent> => {
  const participations = await listCurrentParticipations(db, companyId, operation.id, getToday())
  const namesByParticipant = new Map(participations.map(({ participantId, name }) => [participantId, name]))
  const prms = Map.groupBy(participations, ({ participantId }) => participantId)
  const consents = await loadConsents(db, companyId, [...namesByParticipant.keys()])
  const order = (consent: Consent) => [...namesByParticipant.keys()].indexOf(consent.participantId)
  const sorted = consents.toSorted((a, b) => order(a) - order(b))
  const withoutConsent = [...namesByParticipant.keys()].filter(
    (id) =>
      !consents.some((one) => one.participantId === id && one.purpose === 'collection' && one.state !== 'withdrawn'),
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
      namesByParticipant.get(one.participantId) ?? '',
      [...new Set((prms.get(one.participantId) ?? []).map(({ prm }) => prm))].join(', '),
      getPurposeTitle(one.purpose),
      one.textVersion,
      formatInstantDay(one.givenAt),
      METHOD_LABELS[one.method],
      one.recordedBy,
      formatFrenchDay(one.expiresOn),
      one.withdrawnAt ? formatInstantDay(one.withdrawnAt) : '',
      STATE_LABELS[one.state],
    ]),
    subjects: sorted.map(({ id }) => id),
    missing:
      withoutConsent.length > 0
        ? [`${formatCount(withoutConsent.length, 'participant', 'participants')} sans consentement à la collecte`]
        : [],
    sheet: {
      lead: `${formatCount(sorted.length, 'consentement', 'consentements')} de ${formatCount(namesByParticipant.size, 'participant', 'participants')}.`,
      columns: [
        { head: 'Participant', part: 30 },
        { head: 'Finalité', part: 28 },
        { head: 'Donné le', part: 14 },
        { head: 'Jusqu’au', part: 14 },
        { head: 'État', part: 14 },
      ],
      rows: sorted.map((one) => [
        namesByParticipant.get(one.participantId) ?? '',
        getPurposeTitle(one.purpose),
        formatInstantDay(one.givenAt),
        formatFrenchDay(one.expiresOn),
        STATE_LABELS[one.state],
      ]),
      after: LISTED_PURPOSES.flatMap((purpose) => {
        const text = getCurrentConsentText(purpose)
        return text ? [{ title: `${text.title} (texte ${text.version})`, text: text.text }] : []
      }),
    },
  }
}
