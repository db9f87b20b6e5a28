import { addDays, daysBetween } from '@voisol/energy/calendar'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { askedWords, endingWords, type Reader, type Words, welcomeWords } from './words.ts'
import { readerOf, wordsMail } from './write-to.ts'

export type ParticipantMail = 'welcome' | 'consent-request' | 'consent-ending'

const SAMPLE_DAYS = 30
const ending = () => {
  const on = addDays(today(), SAMPLE_DAYS)
  return { on, left: daysBetween(today(), on), others: [] }
}
const WORDS: Record<ParticipantMail, (reader: Reader) => Words> = {
  welcome: welcomeWords,
  'consent-request': askedWords,
  'consent-ending': (reader) => endingWords(reader, ending()),
}

/** As a participant with an account would read it, under the name of whoever looks. */
export async function participantMail(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { companyId, firstName }: Actor,
  kind: ParticipantMail,
) {
  const reader = await readerOf(db, config, companyId, { firstName, hasAccount: true })
  return wordsMail(db, config, companyId, WORDS[kind](reader), true)
}
