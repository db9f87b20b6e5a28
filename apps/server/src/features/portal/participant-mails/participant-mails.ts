import { addDays, daysBetween } from '@voisol/energy/calendar'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import {
  buildConsentEndingMail,
  buildConsentRequestMail,
  buildWelcomeMail,
  composeParticipantMail,
  loadMailReader,
  type ParticipantMailReader,
  type ParticipantMailText,
} from './write-participant-mail.ts'

export type ParticipantMailKind = 'welcome' | 'consent-request' | 'consent-ending'

const SAMPLE_DAYS = 30
const getSampleExpiry = () => {
  const on = addDays(getToday(), SAMPLE_DAYS)
  return { on, left: daysBetween(getToday(), on), others: [] }
}
const MAIL_BUILDERS: Record<ParticipantMailKind, (reader: ParticipantMailReader) => ParticipantMailText> = {
  welcome: buildWelcomeMail,
  'consent-request': buildConsentRequestMail,
  'consent-ending': (reader) => buildConsentEndingMail(reader, getSampleExpiry()),
}

/** A sample for a participant with an account, with the name of the user who looks at it. */
export async function buildParticipantMailSample(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { companyId, firstName }: Actor,
  kind: ParticipantMailKind,
) {
  const reader = await loadMailReader(db, config, companyId, { firstName, hasAccount: true })
  return composeParticipantMail(db, config, companyId, MAIL_BUILDERS[kind](reader), true)
}
