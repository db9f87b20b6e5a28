import { bank, type Imported } from '@voisol/contract/bank'
import type { BankAccount } from '@voisol/contract/bank-accounts'
import { Suspense, useState } from 'react'
import { ApiError } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { FileDrop } from '../../ui/file-drop.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Select } from '../../ui/select.tsx'

const Columns = lazy(() => import('./columns.tsx'))
const isTable = (name: string) => /\.(csv|txt|tsv|xlsx)$/i.test(name)

/** « 42 mouvements lus, 39 rapprochés, 2 déjà connus, 1 à rapprocher ». */
function said({ lines, known, posted, returned, open }: Imported): string {
  const parts = [
    plural(lines, 'mouvement lu', 'mouvements lus'),
    posted > 0 && plural(posted, 'rapproché'),
    returned > 0 && plural(returned, 'rejet'),
    known > 0 && plural(known, 'déjà connu', 'déjà connus'),
    open > 0 && `${open} à rapprocher`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

function Outcome({ imported }: { imported: Imported }) {
  return (
    <div role="status" className="grid gap-1 rounded-card bg-success-soft px-4 py-3 text-body">
      <p className="font-medium">{said(imported)}</p>
      {imported.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}

/** Takes a file of the bank; a table first asks what its columns say, once per account. */
export default function ImportStatement({ accounts }: { accounts: BankAccount[] }) {
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '')
  const [imported, setImported] = useState<Imported | null>(null)
  const [error, setError] = useState('')
  const [table, setTable] = useState<File | null>(null)
  const take = useAction(bank.import, [bank.lines, bank.accounts, bank.statements])
  const send = (file: File) => {
    setImported(null)
    setError('')
    take
      .run({ params: { id: accountId }, query: { name: file.name }, upload: file })
      .then(setImported, (failure: unknown) => {
        const unnamed = failure instanceof ApiError && failure.code === 'invalid' && isTable(file.name)
        if (unnamed) setTable(file)
        else setError(explain(failure))
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
            label={take.isPending ? 'Lecture du relevé…' : 'Importer un relevé'}
            hint="camt.053, camt.054, pain.002, ou un tableau CSV ou Excel. Relu, un relevé ne change rien."
            accept=".xml,.csv,.txt,.tsv,.xlsx"
            disabled={take.isPending || !accountId}
            onFile={send}
          />
        </div>
      </div>
      {imported && <Outcome imported={imported} />}
      {error && (
        <p role="alert" className="rounded-card bg-danger-soft px-4 py-3 text-body text-danger">
          {error}
        </p>
      )}
      <Suspense fallback={null}>
        {table && (
          <Columns
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
