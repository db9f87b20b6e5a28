import { useQuery } from '@tanstack/react-query'
import { type TariffChoices, type TariffDetail, tariffs } from '@voisol/contract/tariffs'
import Lock from 'lucide-react/icons/lock'
import { useCan } from '../../lib/can.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { CheckFindingList } from '../../ui/findings.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AdoptButton, CopyTariffLink, RemoveDraftButton } from './actions.tsx'
import { TariffEditor, type TariffVersionInput } from './editor.tsx'
import { describeTariffRule, toRuleForms } from './form.ts'
import { formatTariffPrice, TARIFF_DEPENDENT_QUERIES } from './links.ts'
import { PriceMatrixTable } from './matrix.tsx'
import { TariffSimulation } from './simulation.tsx'
import { formatTariffPeriod, TariffStateBadge } from './state.tsx'

type Props = { tariff: TariffDetail; choices: TariffChoices }

/** The rules as they stand, to be read. */
const RuleList = ({ tariff, choices }: Props) => (
  <dl className="grid divide-y divide-line text-body">
    {tariff.rules.map((rule) => (
      <div key={rule.id} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0">
        <dt>{rule.label || describeTariffRule(rule, choices)}</dt>
        <dd className="tabular font-medium">
          {formatTariffPrice(rule.price)}
          {rule.index && <span className="font-normal text-ink-soft">, indexé</span>}
        </dd>
      </div>
    ))}
  </dl>
)

/** A day on which the version holds: today where it does, else its first. */
const getDisplayedDay = ({ inForce, startsOn }: TariffDetail) => (inForce ? getTodayInParis() : startsOn)

function EffectiveMatrix({ tariff }: { tariff: TariffDetail }) {
  const day = getDisplayedDay(tariff)
  const { data, error, refetch } = useQuery(
    query(tariffs.matrix, { params: { id: tariff.operationId }, query: { day } }),
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <PriceMatrixTable matrix={data} /> : <Skeleton className="h-40 w-full" />
}

function TariffReader({ tariff, choices }: Props) {
  const adopted = tariff.status === 'adopted'
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {adopted ? (
        <p className="flex items-start gap-2 rounded-card bg-primary-soft p-3 text-body">
          <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>
            Adopté{tariff.adoptedAt && ` le ${formatDateTime(tariff.adoptedAt)}`}
            {tariff.adoptedBy && ` par ${tariff.adoptedBy}`}. Cette version ne change plus.
          </span>
        </p>
      ) : (
        <CheckFindingList
          findings={tariff.problems.map((problem) => ({ ...problem, rule: '' }))}
          fine="Rien ne s’oppose à l’adoption de ce tarif."
        />
      )}
      <RuleList tariff={tariff} choices={choices} />
      {adopted ? (
        <section className="grid gap-3">
          <h3 className="text-base font-semibold tracking-[-0.01em]">Qui paie quoi, quand</h3>
          <EffectiveMatrix tariff={tariff} />
        </section>
      ) : (
        <div>
          <AdoptButton tariff={tariff} changed={false} problems={tariff.problems} />
        </div>
      )}
    </div>
  )
}

function TariffDraftEditor({ tariff, choices }: Props) {
  const { run } = useAction(tariffs.update, TARIFF_DEPENDENT_QUERIES)
  const save = async (written: TariffVersionInput) => {
    await run({ params: { id: tariff.id }, body: { ...written, version: tariff.version } })
    toast({ title: `Version ${tariff.number} enregistrée`, variant: 'success' })
  }
  const { label, startsOn } = tariff
  return (
    <TariffEditor
      key={tariff.version}
      operationId={tariff.operationId}
      tariffId={tariff.id}
      choices={choices}
      start={{ label, startsOn, rules: toRuleForms(tariff.rules) }}
      action="Enregistrer les modifications"
      onSave={save}
      more={(changed, problems) => (
        <>
          <AdoptButton tariff={tariff} changed={changed} problems={problems} />
          <RemoveDraftButton tariff={tariff} />
          {changed && <span className="text-[0.8125rem] text-ink-soft">Enregistrez avant d’adopter le tarif.</span>}
        </>
      )}
    />
  )
}

/** One version: what it asks of whom, and what can be done with it. */
export function TariffVersionView({ id, choices }: { id: string; choices: TariffChoices }) {
  const canWrite = useCan()(tariffs.update)
  const { data, error, refetch } = useQuery(query(tariffs.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const Body = canWrite && data.status === 'draft' ? TariffDraftEditor : TariffReader
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <Card
        title={data.label ? `Version ${data.number}, ${data.label}` : `Version ${data.number}`}
        description={`Applicable ${formatTariffPeriod(data)}`}
        actions={
          <>
            <TariffStateBadge tariff={data} />
            <CopyTariffLink id={data.id} />
          </>
        }
      >
        <Body tariff={data} choices={choices} />
      </Card>
      <TariffSimulation key={data.version} tariff={data} />
    </div>
  )
}
