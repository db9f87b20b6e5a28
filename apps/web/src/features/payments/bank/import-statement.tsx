import { bank, type StatementImportResult } from '@voisol/contract/bank'
import type { BankAccount } from '@voisol/contract/bank-accounts'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'

const BankColumnsDialog = lazy(() => import('./file-columns.tsx'))
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

/** « 42 mouvements lus, 39 rapprochés, 2 déjà connus, 1 à rapprocher ». */
function summarizeImport({ lines, known, posted, returned, open }: StatementImportResult): string {
  const parts = [
    formatCount(lines, 'mouvement lu', 'mouvements lus'),
    posted > 0 && formatCount(posted, 'rapproché'),
    returned > 0 && formatCount(returned, 'rejet'),
    known > 0 && formatCount(known, 'déjà connu', 'déjà connus'),
    open > 0 && `${open} à rapprocher`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

function ImportOutcome({ imported }: { imported: StatementImportResult }) {
  return (
    <div role="status" className="grid gap-1 rounded-card bg-success-soft px-4 py-3 text-body">
      <p className="font-medium">{summarizeImport(imported)}</p>
      {imported.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}

type RefusedFile = { file: File; sentence: string; gap: boolean }

/** Nothing of the file was taken, and why; where only movements before it are missing, it may be taken all the same. */
function ImportRefusal({ refusal, onTake }: { refusal: RefusedFile; onTake: () => void }) {
  const { file, sentence, gap } = refusal
  return (
    <div role="alert" className="grid gap-3 rounded-card bg-danger-soft px-4 py-3 text-body">
      <p>
        <strong className="font-medium text-danger">{file.name} est refusé.</strong> {sentence}
      </p>
      {gap && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="secondary" size="small" onClick={onTake}>
            Importer quand même
          </Button>
          <p className="min-w-0 flex-1 basis-64 text-[0.8125rem] text-ink-soft">
            Si ce relevé n’existe pas, par exemple avant votre arrivée&#160;: l’écart reste écrit à côté du relevé.
          </p>
        </div>
      )}
    </div>
  )
}
