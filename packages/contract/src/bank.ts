import { z } from 'zod'
import { BankAccount, BankAccountDraft, BankAccountUpdate } from './bank-accounts.ts'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Day, Flag, Id, Instant, ListQuery, Text, Version } from './primitives.ts'

/** Column titles of a bank's table for each field; empty when absent. An amount is in one column or in two. */
const Title = z.string().trim().max(200)
export const BankColumns = z
  .strictObject({
    date: Title.min(1),
    label: Title.min(1),
    amount: Title,
    credit: Title,
    debit: Title,
    party: Title,
    reference: Title,
    dayFirst: z.boolean(),
  })
  .superRefine(({ amount, credit, debit }, context) => {
    if (!amount && !(credit && debit))
      context.addIssue({
        code: 'custom',
        path: ['amount'],
        message: 'Nommez la colonne du montant, ou celles du crédit et du débit.',
      })
  })
export type BankColumns = z.infer<typeof BankColumns>

const BankFormat = z.enum(['camt.053', 'camt.054', 'pain.002', 'csv'])
export const BankStatement = z.object({
  id: Id,
  accountId: Id,
  format: BankFormat,
  reference: z.string(),
  from: Day.nullable(),
  to: Day.nullable(),
  opening: Cents.nullable(),
  closing: Cents.nullable(),
  lines: z.int(),
  gap: z.string(),
  by: z.string(),
  at: Instant,
})
export type BankStatement = z.infer<typeof BankStatement>

const LineState = z.enum(['open', 'posted', 'ignored'])
const PaidInvoice = z.object({
  invoiceId: Id,
  number: z.string(),
  open: Cents,
  dueOn: Day,
})
/** What a line seems to pay, and how that was found. */
export const MatchProposal = z.object({
  step: z.int(),
  certain: z.boolean(),
  buyer: z.string(),
  invoices: z.array(PaidInvoice),
  debits: z.int(),
  sentence: z.string(),
})
export type MatchProposal = z.infer<typeof MatchProposal>
export const BankLine = z.object({
  id: Id,
  accountId: Id,
  account: z.string(),
  bookedOn: Day,
  amount: Cents,
  label: z.string(),
  party: z.string(),
  reference: z.string(),
  state: LineState,
  proposal: MatchProposal.nullable(),
  /** What it was posted as and by whom or by which step, or why it was ignored. */
  settled: z.string(),
  version: z.int(),
})
export type BankLine = z.infer<typeof BankLine>

/** The result of importing a file. */
export const StatementImportResult = z.object({
  format: BankFormat,
  statements: z.int(),
  lines: z.int(),
  known: z.int(),
  posted: z.int(),
  returned: z.int(),
  open: z.int(),
  sentences: z.array(z.string()),
})
export type StatementImportResult = z.infer<typeof StatementImportResult>

const params = z.object({ id: Id })
const readAccess = { permission: 'bank.read' } as const
const writeAccess = { permission: 'bank.write' } as const
const MAX_STATEMENT_BYTES = 25 * 1024 * 1024
const fileNameQuery = z.object({ name: z.string().trim().min(1).max(200) })

export const bank = {
  accounts: defineEndpoint({
    method: 'GET',
    path: '/api/bank-accounts',
    access: readAccess,
    summary: 'Lister les comptes bancaires',
    response: z.object({ items: z.array(BankAccount) }),
  }),
  addAccount: defineEndpoint({
    method: 'POST',
    path: '/api/bank-accounts',
    access: writeAccess,
    summary: 'Ajouter un compte bancaire',
    body: BankAccountDraft,
    response: BankAccount,
  }),
  updateAccount: defineEndpoint({
    method: 'PATCH',
    path: '/api/bank-accounts/:id',
    access: writeAccess,
    summary: 'Modifier un compte bancaire',
    params,
    body: BankAccountUpdate,
    response: BankAccount,
  }),
  look: defineEndpoint({
    method: 'POST',
    path: '/api/bank-accounts/:id/look',
    access: writeAccess,
    summary: 'Lire les colonnes d’un relevé en tableau',
    params,
    query: fileNameQuery,
    upload: MAX_STATEMENT_BYTES,
    audit: 'none',
    response: z.object({
      titles: z.array(z.string()),
      sample: z.array(z.array(z.string())),
      columns: BankColumns,
      remembered: z.boolean(),
    }),
  }),
  columns: defineEndpoint({
    method: 'PUT',
    path: '/api/bank-accounts/:id/columns',
    access: writeAccess,
    summary: 'Retenir les colonnes des relevés d’un compte',
    params,
    body: BankColumns,
    response: z.object({ columns: BankColumns }),
  }),
  import: defineEndpoint({
    method: 'POST',
    path: '/api/bank-accounts/:id/statements',
    access: writeAccess,
    summary: 'Importer un relevé de banque',
    params,
    /** `gap`: accept a statement although movements are missing since the previous one; the gap stays recorded. */
    query: fileNameQuery.extend({ gap: Flag.optional() }),
    upload: MAX_STATEMENT_BYTES,
    response: StatementImportResult,
  }),
  statements: defineEndpoint({
    method: 'GET',
    path: '/api/bank-statements',
    access: readAccess,
    summary: 'Lister les relevés de banque',
    response: z.object({ items: z.array(BankStatement) }),
  }),
  lines: defineEndpoint({
    method: 'GET',
    path: '/api/bank-lines',
    access: readAccess,
    summary: 'Lister les mouvements de banque et ce qu’ils semblent payer',
    query: ListQuery.extend({ accountId: Id.optional(), state: LineState.optional() }),
    response: z.object({ items: z.array(BankLine), total: z.int() }),
  }),
  candidates: defineEndpoint({
    method: 'GET',
    path: '/api/bank-lines/:id/candidates',
    access: readAccess,
    summary: 'Chercher les factures qu’un mouvement peut payer',
    params,
    query: z.object({ q: ListQuery.shape.q }),
    response: z.object({
      items: z.array(PaidInvoice.extend({ buyer: z.string(), seller: z.string(), pair: z.string() })),
    }),
  }),
  accept: defineEndpoint({
    method: 'POST',
    path: '/api/bank-lines/:id/accept',
    access: writeAccess,
    summary: 'Accepter ce qu’un mouvement semble payer',
    params,
    body: z.strictObject({ version: Version }),
    response: BankLine,
  }),
  settle: defineEndpoint({
    method: 'POST',
    path: '/api/bank-lines/:id/settle',
    access: writeAccess,
    summary: 'Affecter un mouvement à des factures',
    params,
    /** The amount for each document; the rest of the line becomes an advance on the account of the last one. */
    body: z.strictObject({
      parts: z
        .array(z.strictObject({ invoiceId: Id, amount: Cents.min(1) }))
        .min(1)
        .max(100),
      version: Version,
    }),
    response: BankLine,
  }),
  ignore: defineEndpoint({
    method: 'POST',
    path: '/api/bank-lines/:id/ignore',
    access: writeAccess,
    summary: 'Laisser un mouvement de côté, avec sa raison',
    params,
    body: z.strictObject({ reason: Text, version: Version }),
    response: BankLine,
  }),
  undo: defineEndpoint({
    method: 'POST',
    path: '/api/bank-lines/:id/undo',
    access: writeAccess,
    summary: 'Annuler l’affectation d’un mouvement',
    params,
    body: z.strictObject({ version: Version }),
    response: BankLine,
  }),
}
