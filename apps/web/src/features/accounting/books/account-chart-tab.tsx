import { useQuery } from '@tanstack/react-query'
import { type BookSettings, BookSettingsUpdate, CHART_ACCOUNT_NAMES } from '@voisol/contract/book-settings'
import { books } from '@voisol/contract/books'
import { ACCOUNT_LABELS } from '@voisol/money/accounts/chart-of-accounts'
import { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatNumberInput, numberInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { useBookChoice } from './accounting-year.ts'

const MONTH_OPTIONS = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
].map((label, at) => ({ value: String(at + 1), label }))
const JOURNAL_LABELS = { opening: 'À-nouveaux', sales: 'Ventes', bank: 'Banque', misc: 'Opérations diverses' } as const

const ChartFormSchema = z.object({
  ...BookSettingsUpdate.shape,
  yearStart: z.coerce.number<string>().pipe(BookSettingsUpdate.shape.yearStart),
  smallWriteOff: numberInputSchema({ min: 0, max: 1000, scale: 100 }),
})

function useChartForm(sellerId: string, settings: BookSettings) {
  const save = useAction(books.saveSettings, [books.settings, books.list, books.entries, books.balance, books.ties])
  return useSchemaForm(ChartFormSchema, {
    defaults: {
      ...settings,
      yearStart: String(settings.yearStart),
      smallWriteOff: formatNumberInput(settings.smallWriteOff, 100),
    },
    save: async (body) => {
      await save.run({ params: { sellerId }, body })
      toast({ title: 'Plan comptable enregistré', variant: 'success' })
    },
  })
}
type ChartFormProps = { sellerId: string; settings: BookSettings }

const gridClass = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3'

function ChartForm({ sellerId, settings }: ChartFormProps) {
  const form = useChartForm(sellerId, settings)
  const canEdit = useCan()(books.saveSettings)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-6">
      <FormErrors form={form} />
      <Card title="Journaux et exercice">
        <div className={gridClass}>
          {(['opening', 'sales', 'bank', 'misc'] as const).map((name) => (
            <Field
              key={name}
              form={form}
              name={`journals.${name}.code`}
              label={`Code, ${JOURNAL_LABELS[name]}`}
              readOnly={!canEdit}
            />
          ))}
          <Field form={form} name="yearStart" label="Premier mois de l’exercice">
            {(control) => <Select {...control} disabled={!canEdit} options={MONTH_OPTIONS} />}
          </Field>
          <Field
            form={form}
            name="smallWriteOff"
            label="Écart de règlement sous (€)"
            hint="Ce qui est passé en perte au-dessous va en écarts de règlement."
            inputMode="decimal"
            readOnly={!canEdit}
          />
        </div>
      </Card>
      <Card title="Comptes" description="Les mois verrouillés gardent les comptes de leur jour.">
        <div className={gridClass}>
          {CHART_ACCOUNT_NAMES.map((name) => (
            <Field key={name} form={form} name={`chart.${name}`} label={ACCOUNT_LABELS[name]} readOnly={!canEdit} />
          ))}
          <Field
            form={form}
            name="chart.vat"
            label={ACCOUNT_LABELS.vat}
            hint={'Le taux s’ajoute\u00a0: 44571 et 20 % font 445712000.'}
            readOnly={!canEdit}
          />
        </div>
      </Card>
      {canEdit && (
        <div>
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer le plan comptable
          </Button>
        </div>
      )}
    </form>
  )
}

function EntityChart({ sellerId }: { sellerId: string }) {
  const { data, error, refetch } = useQuery(query(books.settings, { params: { sellerId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <ChartForm key={`${sellerId} ${data.version}`} sellerId={sellerId} settings={data} />
}

/** The accounts and journals of each entity. */
export default function ChartTab() {
  const { data, error, refetch } = useQuery(query(books.list, {}))
  const { entity, choose } = useBookChoice(data?.items ?? [])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (!entity)
    return (
      <EmptyState
        title="Aucune entité"
        why="Chaque vendeur a son plan comptable, et l’organisateur le sien&nbsp;: ajoutez d’abord un vendeur."
        action={<ButtonLink to="/advanced-billing?tab=sellers">Ajouter un vendeur</ButtonLink>}
      />
    )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Select
        aria-label="Entité"
        className="sm:w-72"
        value={entity.id}
        options={data.items.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={({ target }) => choose({ entite: target.value })}
      />
      <EntityChart sellerId={entity.id} />
    </div>
  )
}
