import { EXPORT_FIELDS, type ExportField, type ExportProfile, NewExportProfile } from '@voisol/contract/book-settings'
import { books } from '@voisol/contract/books'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const EXPORT_FIELD_LABELS: Record<ExportField, string> = {
  journalCode: 'Code du journal',
  journalLabel: 'Nom du journal',
  number: 'Numéro d’écriture',
  day: 'Date',
  account: 'Compte',
  accountLabel: 'Intitulé du compte',
  aux: 'Compte auxiliaire',
  auxLabel: 'Tiers',
  accountOrAux: 'Compte auxiliaire, ou compte',
  pieceRef: 'Pièce',
  pieceDay: 'Date de la pièce',
  label: 'Libellé',
  debit: 'Débit',
  credit: 'Crédit',
  amount: 'Montant sans sens',
  side: 'Sens (D ou C)',
  letter: 'Lettrage',
  currency: 'Devise',
  blank: 'Colonne vide',
}
const COLUMN_INDEXES = Array.from({ length: 12 }, (_, at) => at)
const FIELD_OPTIONS = EXPORT_FIELDS.map((value) => ({ value, label: EXPORT_FIELD_LABELS[value] }))
const DEFAULT_FIELDS: ExportField[] = ['journalCode', 'day', 'account', 'aux', 'pieceRef', 'label', 'debit', 'credit']
const toOptions = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
const SEPARATOR_OPTIONS = toOptions({ ';': 'Point-virgule', ',': 'Virgule', '\t': 'Tabulation', '|': 'Barre' })
const DATE_FORMAT_OPTIONS = toOptions({
  'dd/mm/yyyy': '31/12/2026',
  ddmmyy: '311226',
  yyyymmdd: '20261231',
  'yyyy-mm-dd': '2026-12-31',
})
const ENCODING_OPTIONS = toOptions({ 'utf-8': 'UTF-8', 'iso-8859-15': 'ISO-8859-15' })

const DEFAULT_PROFILE: ExportProfile = {
  columns: COLUMN_INDEXES.map((at) => ({ field: DEFAULT_FIELDS[at] ?? 'blank', header: '' })),
  separator: ';',
  header: true,
  decimal: ',',
  dates: 'dd/mm/yyyy',
  encoding: 'utf-8',
  extension: 'csv',
}

/** Columns in their order; those after the last that is named are left out. */
const ExportProfileForm = NewExportProfile.transform(({ name, profile }) => {
  const last = profile.columns.findLastIndex(({ field }) => field !== 'blank')
  const columns = profile.columns.slice(0, last + 1).map(({ field }) => ({ field, header: EXPORT_FIELD_LABELS[field] }))
  return { name, profile: { ...profile, columns } }
})

/** A table as one's own program reads it, kept for the next time. */
export default function ProfileDialog({ onClose }: { onClose: () => void }) {
  const add = useAction(books.addProfile, [books.profiles])
  const form = useSchemaForm(ExportProfileForm, {
    defaults: { name: '', profile: DEFAULT_PROFILE },
    save: async (body) => {
      await add.run({ body })
      toast({
        title: 'Format enregistré',
        description: 'Il est dans le menu «\u00a0Écritures\u00a0».',
        variant: 'success',
      })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Format d’export"
      description="Les colonnes que votre logiciel comptable attend, dans leur ordre."
      width="wide"
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom" />
        <fieldset className="grid gap-3 sm:grid-cols-3">
          <legend className="mb-2 text-body font-medium">Colonnes</legend>
          {COLUMN_INDEXES.map((at) => (
            <Field key={at} form={form} name={`profile.columns.${at}.field`} label={`Colonne ${at + 1}`}>
              {(control) => <Select {...control} options={FIELD_OPTIONS} />}
            </Field>
          ))}
        </fieldset>
        <div className="grid gap-3 sm:grid-cols-3">
          <Field form={form} name="profile.separator" label="Séparateur">
            {(control) => <Select {...control} options={SEPARATOR_OPTIONS} />}
          </Field>
          <Field form={form} name="profile.dates" label="Dates">
            {(control) => <Select {...control} options={DATE_FORMAT_OPTIONS} />}
          </Field>
          <Field form={form} name="profile.encoding" label="Encodage">
            {(control) => <Select {...control} options={ENCODING_OPTIONS} />}
          </Field>
        </div>
        <div className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer le format
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
