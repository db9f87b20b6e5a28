import type { Proof } from '@voisol/contract/signatures'
import { eq } from 'drizzle-orm'
import type { OperationRow } from '../../../core/operation.ts'
import type { Shown } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import { applications, companies, joinPages, type participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { today } from '../../../today.ts'
import { currentTexts } from '../../energy/consents/consents.ts'
import { pricesOn } from '../../understanding/insights/insights.ts'
import { slugOf } from './address.ts'
import type { ApplicationRow } from './life-cycle.ts'
import { firstExit } from './notice.ts'
import { keepPaper } from './paper.ts'
import { NOTICE_DAYS } from './settings.ts'
import { agreementText, DEFAULTS, departureText } from './texts.ts'

type Making = Pick<Deps, 'compute' | 'files'> & { db: Db }
type Page = typeof joinPages.$inferSelect

/** Whether nothing was there yet: a second filling changes nothing. */
export async function openFirstPage(tx: Db, { companyId, id, name }: OperationRow): Promise<Page | undefined> {
  const page = { companyId, operationId: id, slug: slugOf(name), isOpen: true, ...DEFAULTS }
  const [row] = await tx.insert(joinPages).values(page).onConflictDoNothing().returning()
  return row
}

const proofAt = (shown: Shown, name: string, at: Date): Proof => ({
  at: at.toISOString(),
  name,
  ip: '203.0.113.24',
  userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:141.0) Gecko/141.0 Firefox/141.0',
  ...shown,
})

const organiserOf = async (tx: Db, { companyId, pmoName }: OperationRow) => {
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId))
  return pmoName || (company?.name ?? '')
}

export type Entry = Pick<
  ApplicationRow,
  'name' | 'firstName' | 'lastName' | 'email' | 'phone' | 'address' | 'postalCode' | 'city' | 'prm' | 'message'
>
type Stay = { id: string; prm: string; startsOn: string; person: typeof participants.$inferSelect }

/** Signed as if it had been asked for then: nobody is told of it. */
export async function keepAsked(
  making: Making,
  operation: OperationRow,
  page: Page,
  asked: { at: Date } & ({ entry: Entry } | { stay: Stay }),
): Promise<void> {
  const { db } = making
  const { companyId, id: operationId } = operation
  const organiser = await organiserOf(db, operation)
  const { local } = await pricesOn(db, companyId, operationId, today())
  const place = { companyId, operationId, state: 'waiting', createdAt: asked.at }
  if ('entry' in asked) {
    const { entry } = asked
    const given = currentTexts()
    const row = { ...entry, siren: '', participantKind: 'person' } as ApplicationRow // what the text reads of it
    const proof = proofAt(agreementText(row, { ...page, operation, organiser, price: local }), entry.name, asked.at)
    const paper = { name: 'accord-de-participation.pdf', title: 'Accord de participation', subject: operation.name }
    const file = await keepPaper(making, companyId, { ...paper, proof, given })
    const consents = given.map(({ purpose, version }) => ({ purpose, version }))
    await db.insert(applications).values({ ...place, ...entry, kind: 'join', consents, proof, fileId: file.id })
    return
  }
  const { id, prm, startsOn, person } = asked.stay
  const on = await firstExit(db, companyId, { startsOn, noticeDays: NOTICE_DAYS })
  const shown = { operation, organiser, participant: person.name, prm, noticeDays: NOTICE_DAYS }
  const proof = proofAt(departureText({ ...shown, kind: 'move', on }), person.name, asked.at)
  const paper = { name: 'demande-de-depart.pdf', title: 'Demande de départ', subject: operation.name }
  const file = await keepPaper(making, companyId, { ...paper, proof })
  const { name, firstName, lastName, email, phone, address, postalCode, city, userId } = person
  const who = { name, firstName, lastName, email, phone, address, postalCode, city, userId, participantId: person.id }
  const values = { ...place, ...who, prm, kind: 'move', wantedOn: on, participationId: id, proof, fileId: file.id }
  await db.insert(applications).values(values)
}
