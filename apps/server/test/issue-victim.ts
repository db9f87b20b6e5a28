import { openDatabase, transaction } from '../src/db/client.ts'
import { type IssueDocumentsInput, issueDocuments } from '../src/features/billing/invoices/issue-documents.ts'
import { TEST_SECRETS } from './factories-invoices.ts'

/** A process that has taken invoice numbers and never commits, to be killed there. */
const [, , url = '', order = ''] = process.argv
const db = openDatabase(url, 1)
await transaction(db, async (tx) => {
  const { issued } = await issueDocuments(tx, TEST_SECRETS, JSON.parse(order) as IssueDocumentsInput) // as the test wrote it
  console.log(`issued ${issued}`)
  const nothing = setInterval(() => {}, 60_000)
  await new Promise(() => nothing)
})
