import { parseBankFile } from '@voisol/file-formats/bank/bank-file'
import { type Db, transaction } from '../src/db/client.ts'
import type { Deps } from '../src/deps.ts'
import { addBankAccount, importStatements, loadBankAccount } from '../src/features/payments/bank/index.ts'
import { readTable } from '../src/files/table-file.ts'
import type { Actor } from '../src/http/actor.ts'
import { makeCompany } from '../test/factories.ts'
import { buildCamt053, OUR_IBAN } from '../test/factories-bank.ts'
import { makeIssuedInvoice, makeSeller } from '../test/factories-billing.ts'
import { makeParticipant } from '../test/factories-energy.ts'
import { createBench } from './bench-installation.ts'
import { findPostmaster, measureCpu, pickSize } from './measure.ts'

const TARGET_MS = 5_000
const ENTRIES = pickSize([1_000, 10_000], [2, 4])
const OPEN = pickSize(200, 2)

/** A seller whose buyers owe something each, with its bank account. */
async function fill(db: Db, { secrets }: Deps) {
  const { id: companyId } = await makeCompany(db)
  const { id: ownerId } = await makeSeller(db, { companyId })
  for (let at = 0; at < OPEN; at++) {
    const { id: buyerId } = await makeParticipant(db, { companyId, name: `Foyer ${at}` })
    await makeIssuedInvoice(db, { companyId, sellerId: ownerId, buyerId, gross: 1_003 + at * 7 })
  }
  const about = { name: 'Compte', iban: OUR_IBAN, bic: '', ics: '', painVersion: '08' as const }
  const { id } = await addBankAccount(db, secrets, { companyId } as Actor, { ownerId, ...about }) // nothing else is read
  return loadBankAccount(db, companyId, id)
}

/** Names that are known and amounts that are not quite: every step is tried, and none is certain. */
const statement = (entries: number) =>
  buildCamt053({
    entries: Array.from({ length: entries }, (_, at) => ({
      amount: 1_000 + (at % 997) * 3,
      name: `FOYER ${at % OPEN}`,
      text: `VIREMENT ELECTRICITE ${at}`,
      reference: `R${at}`,
    })),
  })

const { closers, open } = createBench()
try {
  const { deps, tidy } = await open()
  const postmaster = await findPostmaster(deps.db)
  const spent: number[] = []
  for (const entries of ENTRIES) {
    const account = await fill(deps.db, deps)
    const bytes = statement(entries)
    await tidy()
    const from = performance.now()
    const { server, postgres } = await measureCpu(postmaster, async () => {
      const message = await parseBankFile(new Uint8Array(bytes), null, readTable)
      const given = { upload: { name: 'releve.xml', content: new Uint8Array(bytes) }, by: 'Mesure' }
      await transaction(deps.db, (tx) => importStatements(tx, deps, account, message, given))
    })
    spent.push(server + postgres)
    const time = Math.round(performance.now() - from)
    console.log(
      `  relevé de ${entries} écritures lu et rapproché : ${time} ms, dont ${Math.round(server + postgres)} ms de processeur (objectif : ${TARGET_MS} ms pour 10 000)`,
    )
  }
  const [small = 1, large = 0] = spent
  console.log(`  dix fois les écritures : ${(large / small).toFixed(1).replace('.', ',')} fois le travail`)
} finally {
  await closers.close()
}
