import type { Proof } from '@voisol/contract/signatures'
import { eq } from 'drizzle-orm'
import type { OperationRow } from '../../../core/access-scopes.ts'
import type { SignableText } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import { applications, companies, joinPages, type participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { loadEnergyPrices } from '../../analytics/insights/index.ts'
import { listCurrentConsentTexts } from '../../energy/consents/index.ts'
import type { ApplicationRow } from './application-state.ts'
import { DEFAULT_NOTICE_DAYS, loadFirstExitDay, toOperationSlug } from './join-settings.ts'
import { buildAgreementText, buildDepartureText, DEFAULT_JOIN_TEXTS, storeSignedDocument } from './signed-documents.ts'

type SeedDeps = Pick<Deps, 'compute' | 'files'> & { db: Db }
type Page = typeof joinPages.$inferSelect

/** Whether nothing was there yet: a second filling changes nothing. */
export async function seedJoinPage(tx: Db, { companyId, id, name }: OperationRow): Promise<Page | undefined> {
  const page = { companyId, operationId: id, slug: toOperationSlug(name), isOpen: true, ...DEFAULT_JOIN_TEXTS }
  const [row] = await tx.insert(joinPages).values(page).onConflictDoNothing().returning()
  return row
}

const buildProof = (shown: SignableText, name: string, at: Date): Proof => ({
  at: at.toISOString(),
  name,
  ip: '203.0.113.24',
  userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:141.0) Gecko/141.0 Firefox/141.0',
  ...shown,
})

const loadOrganiserName = async (tx: Db, { companyId, pmoName }: OperationRow) => {
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId))
  return pmoName || (company?.name ?? '')
}

type SeedApplicant = Pick<
  ApplicationRow,
  'name' | 'firstName' | 'lastName' | 'email' | 'phone' | 'address' | 'postalCode' | 'city' | 'prm' | 'message'
>
type SeedParticipation = { id: string; prm: string; startsOn: string; person: typeof participants.$inferSelect }

/** Creates a signed application in the past, without any notification. */
export async function seedApplication(
  making: SeedDeps,
  operation: OperationRow,
  page: Page,
  request: { at: Date } & ({ entry: SeedApplicant } | { stay: SeedParticipation }),
): Promise<void> {
  const { db } = making
  const { companyId, id: operationId } = operation
  const organiser = await loadOrganiserName(db, operation)
  const { local } = await loadEnergyPrices(db, companyId, operationId, getToday())
  const place = { companyId, operationId, state: 'waiting', createdAt: request.at }
  if ('entry' in request) {
    const { entry } = request
    const given = listCurrentConsentTexts()
    const row = { ...entry, siren: '', participantKind: 'person' } as ApplicationRow // what the text reads of it
    const proof = buildProof(
      buildAgreementText(row, { ...page, operation, organiser, price: local }),
      entry.name,
      request.at,
    )
    const paper = { name: 'accord-de-participation.pdf', title: 'Accord de participation', subject: operation.name }
    const file = await storeSignedDocument(making, companyId, { ...paper, proof, given })
    const consents = given.map(({ purpose, version }) => ({ purpose, version }))
    await db.insert(applications).values({ ...place, ...entry, kind: 'join', consents, proof, fileId: file.id })
    return
  }
  const { id, prm, startsOn, person } = request.stay
  const on = await loadFirstExitDay(db, companyId, { startsOn, noticeDays: DEFAULT_NOTICE_DAYS })
  const shown = { operation, organiser, participant: person.name, prm, noticeDays: DEFAULT_NOTICE_DAYS }
  const proof = buildProof(buildDepartureText({ ...shown, kind: 'move', on }), person.name, request.at)
  const paper = { name: 'demande-de-depart.pdf', title: 'Demande de départ', subject: operation.name }
  const file = await storeSignedDocument(making, companyId, { ...paper, proof })
  const { name, firstName, lastName, email, phone, address, postalCode, city, userId } = person
  const who = { name, firstName, lastName, email, phone, address, postalCode, city, userId, participantId: person.id }
  const values = { ...place, ...who, prm, kind: 'move', wantedOn: on, participationId: id, proof, fileId: file.id }
  await db.insert(applications).values(values)
}
