import { BankColumns, bank } from '@voisol/contract/bank'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { useEffect, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'

type BankFilePreview = EndpointReply<typeof bank.look>
const COLUMN_FIELDS = [
  { name: 'date', label: 'Jour', optional: false },
  { name: 'label', label: 'Libellé', optional: false },
  { name: 'amount', label: 'Montant, avec son signe', optional: true },
  { name: 'credit', label: 'Crédit', optional: true },
  { name: 'debit', label: 'Débit', optional: true },
  { name: 'party', label: 'Nom du payeur', optional: true },
  { name: 'reference', label: 'Référence', optional: true },
] as const

function SampleTable({ look: { titles, sample } }: { look: BankFilePreview }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section aria-label="Aperçu du fichier" tabIndex={0} className="overflow-x-auto rounded-card border border-line">
      <table className="w-full text-[0.8125rem]">
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col" className="px-2 py-1.5 text-left font-medium whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.slice(0, 3).map((cells) => (
            <tr key={cells.join('|')} className="border-t border-line">
              {titles.map((title, at) => (
                <td key={title} className="max-w-56 truncate px-2 py-1.5 whitespace-nowrap">
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ColumnsForm({ look, accountId, onNamed }: { look: BankFilePreview; accountId: string; onNamed: () => void }) {
  const saveColumns = useAction(bank.columns, [])
  const form = useSchemaForm(BankColumns, {
    defaults: look.columns,
    save: async (body) => {
      await saveColumns.run({ params: { id: accountId }, body })
      onNamed()
    },
  })
  const titles = [
    { value: '', label: 'Aucune' },
    ...look.titles.filter(Boolean).map((title) => ({ value: title, label: title })),
  ]
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <SampleTable look={look} />
      <div className="grid gap-4 sm:grid-cols-2">
        {COLUMN_FIELDS.map(({ name, label, optional }) => (
          <Field key={name} form={form} name={name} label={label} optional={optional}>
            {(control) => <Select {...control} options={titles} />}
          </Field>
        ))}
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Retenir et importer
      </Button>
    </form>
  )
}

type BankColumnsDialogProps = { accountId: string; file: File; onClose: () => void; onNamed: () => void }
/** What the columns of a bank's table say: no two banks write alike, and each is asked once. */
export default function BankColumnsDialog({ accountId, file, onClose, onNamed }: BankColumnsDialogProps) {
  const { run } = useAction(bank.look, [])
  const [preview, setLook] = useState<BankFilePreview | null>(null)
  const [error, setError] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each file
  useEffect(() => {
    run({ params: { id: accountId }, query: { name: file.name }, upload: file }).then(setLook, (failure: unknown) =>
      setError(explainError(failure)),
    )
  }, [file, accountId])
  return (
    <Dialog
      title="Que disent les colonnes&#160;?"
      description="Votre réponse est retenue pour les prochains relevés de ce compte."
      width="wide"
      open
      onOpenChange={onClose}
    >
      {error ? (
        <p role="alert" className="text-danger">
          {error}
        </p>
      ) : preview ? (
        <ColumnsForm look={preview} accountId={accountId} onNamed={onNamed} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}
