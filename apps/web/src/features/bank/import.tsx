import { bank, type StatementImportResult } from '@voisol/contract/bank'
import type { BankAccount } from '@voisol/contract/bank-accounts'
import { Suspense, useState } from 'react'
import { ApiError } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { FileDrop } from '../../ui/file-drop.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Select } from '../../ui/select.tsx'
import { ImportOutcome, ImportRefusal, type RefusedFile } from './outcome.tsx'

const BankColumnsDialog = lazy(() => import('./columns.tsx'))
const isTableFile = (name: string) => /\.(csv|txt|tsv|xlsx)$/i.test(name)

/** Takes a file of the bank; a table first asks what its columns say, once per account. */
export default function ImportStatement({ accounts }: { accounts: BankAccount[] }) {
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '')
  const [imported, setImported] = useState<StatementImportResult | null>(null)
  const [refusal, setRefusal] = useState<RefusedFile | null>(null)
  const [table, setTable] = useState<File | null>(null)
  const importStatement = useAction(bank.import, [bank.lines, bank.accounts, bank.statements])
  const send = (file: File, despiteGap = false) => {
    setImported(null)
    setRefusal(null)
    const query = { name: file.name, ...(despiteGap && { gap: 'true' as const }) }
    importStatement.run({ params: { id: accountId }, query, upload: file }).then(setImported, (failure: unknown) => {
      const code = failure instanceof ApiError ? failure.code : ''
      if (code === 'invalid' && isTableFile(file.name)) setTable(file)
      else setRefusal({ file, sentence: explainError(failure), gap: code === 'balance-gap' })
    })
  }
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <div className="flex flex-wrap items-center gap-3">
        {accounts.length > 1 && (
          <Select
            aria-label="Compte du relevé"
            className="sm:w-56"
            value={accountId}
            options={accounts.map(({ id, name, ibanEnd }) => ({ value: id, label: `${name} ••${ibanEnd}` }))}
            onChange={(event) => setAccountId(event.target.value)}
          />
        )}
        <div className="min-w-0 flex-1">
          <FileDrop
            label={importStatement.isPending ? 'Lecture du relevé…' : 'Importer un relevé'}
            hint="camt.053, camt.054, pain.002, ou un tableau CSV ou Excel. Relu, un relevé ne change rien."
            accept=".xml,.csv,.txt,.tsv,.xlsx"
            disabled={importStatement.isPending || !accountId}
            onFile={(file) => send(file)}
          />
        </div>
      </div>
      {imported && <ImportOutcome imported={imported} />}
      {refusal && <ImportRefusal refusal={refusal} onTake={() => send(refusal.file, true)} />}
      <Suspense fallback={null}>
        {table && (
          <BankColumnsDialog
            accountId={accountId}
            file={table}
            onClose={() => setTable(null)}
            onNamed={() => {
              setTable(null)
              send(table)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
