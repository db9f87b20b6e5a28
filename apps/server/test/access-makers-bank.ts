import { bankAccounts, bankLines, bankStatements, debitRuns, mandates } from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'
import type { TestServer } from './client.ts'
import { makeParticipant } from './factories-participants.ts'
import { makeSeller } from './factories-parties.ts'

type BankMakerTools = { file: (server: TestServer, companyId: number) => Promise<string>; secret: string }

/** Bank objects, by the path that names them. */
export function bankMakers({ file, secret }: BankMakerTools): [RegExp, ParamsMaker][] {
  const account: ParamsMaker = async ({ db }, { companyId }) => {
    const { id: ownerId } = await makeSeller(db, { companyId, name: secret })
    const id = crypto.randomUUID()
    await db.insert(bankAccounts).values({ companyId, id, ownerId, name: secret, ics: 'FR72ZZZ123456' })
    return { id }
  }
  const mandate: ParamsMaker = async (server, { companyId }) => {
    const { id: creditorId } = await makeSeller(server.db, { companyId, name: secret })
    const { id: participantId } = await makeParticipant(server.db, { companyId, name: secret })
    const id = crypto.randomUUID()
    const account = { iban: 'sealed', ibanEnd: '0189', ibanPrint: id, holder: secret }
    const signed = {
      rum: id.slice(0, 8),
      signedOn: '2025-01-01',
      statusOn: '2025-01-01',
      method: 'paper',
      createdBy: 'test',
    }
    const fileId = await file(server, companyId)
    await server.db.insert(mandates).values({ companyId, id, creditorId, participantId, fileId, ...account, ...signed })
    return { id }
  }
  const run: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const { id: accountId } = await account(server, owner)
    const id = crypto.randomUUID()
    const days = { collectionOn: '2026-06-18', submitBy: '2026-06-17', createdBy: secret }
    const fileId = await file(server, companyId)
    await server.db
      .insert(debitRuns)
      .values({ companyId, id, accountId: String(accountId), fileId, messageId: id, ...days })
    return { id }
  }
  const line: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const accountId = String((await account(server, owner)).id)
    const [statementId, id] = [crypto.randomUUID(), crypto.randomUUID()]
    const fileId = await file(server, companyId)
    const about = { companyId, accountId }
    await server.db
      .insert(bankStatements)
      .values({ ...about, id: statementId, fileId, format: 'csv', lines: 1, createdBy: secret })
    const lineFields = { identity: id, bookedOn: '2026-06-18', amount: 2317, label: secret }
    await server.db.insert(bankLines).values({ ...about, id, statementId, ...lineFields })
    return { id }
  }
  return [
    [/^\/api\/bank-accounts\/:id/, account],
    [/^\/api\/mandates\/:id/, mandate],
    [/^\/api\/debit-runs\/:id/, run],
    [/^\/api\/bank-lines\/:id/, line],
  ]
}
