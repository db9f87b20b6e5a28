import { useQuery } from '@tanstack/react-query'
import { gateway, LimitsChange } from '@voisol/contract/gateway'
import { z } from 'zod'
import { Can } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { numberInputSchema } from '../../lib/typed-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type CompanyLimits = { perSecond: number | null; perMonth: number | null; usedThisMonth: number; version: number }
type KeyLimits = { id: string; name: string } & Omit<CompanyLimits, 'version'>

const limitInputSchema = (max: number) =>
  z.union([z.literal('').transform(() => null), numberInputSchema({ min: 1, max })])
const LimitsDraft = LimitsChange.extend({ perSecond: limitInputSchema(1000), perMonth: limitInputSchema(100_000_000) })
const toFieldText = (value: number | null) => (value === null ? '' : String(value))
const formatLimit = (value: number | null) => (value === null ? 'Sans limite' : formatNumber(value))

const formatUsage = ({ usedThisMonth, perMonth }: Pick<CompanyLimits, 'usedThisMonth' | 'perMonth'>) =>
  perMonth ? `${formatNumber(usedThisMonth)} (${formatPercent(usedThisMonth / perMonth, 0)})` : '—'

const columns: Column<KeyLimits>[] = [
  { header: 'Clé', card: 'title', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: 'Par seconde', align: 'end', cell: ({ perSecond }) => formatLimit(perSecond) },
  { header: 'Par mois', align: 'end', cell: ({ perMonth }) => formatLimit(perMonth) },
  { header: 'Ce mois-ci', align: 'end', cell: formatUsage },
]

function LimitsForm({ company }: { company: CompanyLimits }) {
  const save = useAction(gateway.setLimits, [gateway.limits])
  const form = useSchemaForm(LimitsDraft, {
    defaults: {
      perSecond: toFieldText(company.perSecond),
      perMonth: toFieldText(company.perMonth),
      version: company.version,
    },
    save: async (body) => {
      await save.run({ body })
      toast({ title: 'Limites enregistrées', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="perSecond" label="Appels par seconde" optional inputMode="numeric" />
        <Field form={form} name="perMonth" label="Appels par mois" optional inputMode="numeric" />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-start">
        Enregistrer les limites
      </Button>
    </form>
  )
}

/** What keys may call, together and each. People at their screens are not limited. */
export function GatewayLimits() {
  const { data, error, refetch } = useQuery({ ...query(gateway.limits, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { company, keys } = data
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Card
        title="Toutes les clés ensemble"
        description="Au-delà, un appel est refusé avec le temps d’attendre. Les personnes à l’écran ne sont pas comptées."
      >
        <Can
          call={gateway.setLimits}
          otherwise={
            <FactList
              facts={[
                { label: 'Appels par seconde', value: formatLimit(company.perSecond) },
                { label: 'Appels par mois', value: formatLimit(company.perMonth) },
              ]}
            />
          }
        >
          <LimitsForm key={company.version} company={company} />
        </Can>
        {company.perMonth !== null && (
          <p className="mt-4 text-body text-ink-soft">Ce mois-ci&nbsp;: {formatUsage(company)}.</p>
        )}
      </Card>
      <Card title="Clé par clé" description="Une clé se limite dans l’écran des clés d’API.">
        {keys.length > 0 ? (
          <Table label="Limites par clé" rows={keys} columns={columns} />
        ) : (
          <p className="text-body text-ink-soft">Aucune clé n’a de limite à elle.</p>
        )}
      </Card>
    </div>
  )
}
