import { useQuery } from '@tanstack/react-query'
import { type TariffChoices, type TariffDetail, tariffs } from '@voisol/contract/tariffs'
import Lock from 'lucide-react/icons/lock'
import { useCan } from '../../lib/can.tsx'
import { dateTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Findings } from '../../ui/findings.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AdoptButton, CopyLink, RemoveButton } from './actions.tsx'
import { Editor, type Written } from './editor.tsx'
import { formOf, ruleWords } from './form.ts'
import { CHANGED, priceWords } from './links.ts'
import { Matrix } from './matrix.tsx'
import { Simulation } from './simulation.tsx'
import { spanWords, TariffMark } from './state.tsx'

type Props = { tariff: TariffDetail; choices: TariffChoices }

/** The rules as they stand, to be read. */
const RuleList = ({ tariff, choices }: Props) => (
  <dl className="grid divide-y divide-line text-body">
    {tariff.rules.map((rule) => (
      <div key={rule.id} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0">
        <dt>{rule.label || ruleWords(rule, choices)}</dt>
        <dd className="tabular font-medium">
          {priceWords(rule.price)}
          {rule.index && <span className="font-normal text-ink-soft">, indexé</span>}
        </dd>
      </div>
    ))}
  </dl>
)

/** A day on which the version holds: today where it does, else its first. */
const shownDay = ({ inForce, startsOn }: TariffDetail) => (inForce ? todayInParis() : startsOn)

function HeldMatrix({ tariff }: { tariff: TariffDetail }) {
  const day = shownDay(tariff)
  const { data, error, refetch } = useQuery(
    query(tariffs.matrix, { params: { id: tariff.operationId }, query: { day } }),
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <Matrix matrix={data} /> : <Skeleton className="h-40 w-full" />
}

function Reading({ tariff, choices }: Props) {
  const adopted = tariff.status === 'adopted'
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {adopted ? (
        <p className="flex items-start gap-2 rounded-card bg-primary-soft p-3 text-body">
          <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>
            Adopté{tariff.adoptedAt && ` le ${dateTime(tariff.adoptedAt)}`}
            {tariff.adoptedBy && ` par ${tariff.adoptedBy}`}. Cette version ne change plus.
          </span>
        </p>
      ) : (
        <Findings
          findings={tariff.problems.map((problem) => ({ ...problem, rule: '' }))}
          fine="Rien ne s’oppose à l’adoption de ce tarif."
        />
      )}
      <RuleList tariff={tariff} choices={choices} />
      {adopted ? (
        <section className="grid gap-3">
          <h3 className="text-base font-semibold tracking-[-0.01em]">Qui paie quoi, quand</h3>
          <HeldMatrix tariff={tariff} />
        </section>
      ) : (
        <div>
          <AdoptButton tariff={tariff} changed={false} problems={tariff.problems} />
        </div>
      )}
    </div>
  )
}

function Writing({ tariff, choices }: Props) {
  const { run } = useAction(tariffs.update, CHANGED)
  const save = async (written: Written) => {
    await run({ params: { id: tariff.id }, body: { ...written, version: tariff.version } })
    toast({ title: `Version ${tariff.number} enregistrée`, variant: 'success' })
  }
  const { label, startsOn } = tariff
  return (
    <Editor
      key={tariff.version}
      operationId={tariff.operationId}
      tariffId={tariff.id}
      choices={choices}
      start={{ label, startsOn, rules: formOf(tariff.rules) }}
      action="Enregistrer les modifications"
      onSave={save}
      more={(changed, problems) => (
        <>
          <AdoptButton tariff={tariff} changed={changed} problems={problems} />
          <RemoveButton tariff={tariff} />
          {changed && <span className="text-[0.8125rem] text-ink-soft">Enregistrez avant d’adopter le tarif.</span>}
        </>
      )}
    />
  )
}

/** One version: what it asks of whom, and what can be done with it. */
export function Version({ id, choices }: { id: string; choices: TariffChoices }) {
  const writes = useCan()(tariffs.update)
  const { data, error, refetch } = useQuery(query(tariffs.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const Body = writes && data.status === 'draft' ? Writing : Reading
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <Card
        title={data.label ? `Version ${data.number}, ${data.label}` : `Version ${data.number}`}
        description={`Applicable ${spanWords(data)}`}
        actions={
          <>
            <TariffMark tariff={data} />
            <CopyLink id={data.id} />
          </>
        }
      >
        <Body tariff={data} choices={choices} />
      </Card>
      <Simulation key={data.version} tariff={data} />
    </div>
  )
}
