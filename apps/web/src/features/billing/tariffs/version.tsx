import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type { SimulatedMember } from '@voisol/contract/billing-documents'
import {
  type Tariff,
  type TariffChoices,
  type TariffDetail,
  type TariffProblem,
  tariffs,
} from '@voisol/contract/tariffs'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import Copy from 'lucide-react/icons/copy'
import Lock from 'lucide-react/icons/lock'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldFrame, Select, Textarea } from '../../../components/input.tsx'
import { CheckFindingList } from '../../../components/issue-list.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { confirmImpact } from '../../../lib/confirm-impact.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime, formatKwh, formatMoney, formatMonth as monthWords } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { TariffEditor, type TariffVersionInput } from './editor.tsx'
import { PriceMatrixTable } from './price-matrix.tsx'
import { describeTariffRule, toRuleForms } from './rule-form.ts'
import {
  formatTariffDay,
  formatTariffPeriod,
  formatTariffPrice,
  NEW_TARIFF_VERSION,
  TARIFF_DEPENDENT_QUERIES,
  TariffStateBadge,
  useVersionLink,
} from './version-state.tsx'

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

type MemberRow = z.infer<typeof SimulatedMember>
const OFFERED_MONTHS = 24

/** The months that are over, the last one first. */
const getPastMonths = (today = getTodayInParis()) =>
  Array.from({ length: OFFERED_MONTHS }, (_, at) => addMonths(monthOf(today), -1 - at).slice(0, 7))

const formatSignedMoney = (cents: number) => (cents > 0 ? `+${formatMoney(cents)}` : formatMoney(cents))
const Amount = ({ cents }: { cents: number }) => <span className="tabular">{formatMoney(cents)}</span>

const columns: Column<MemberRow>[] = [
  { header: 'Membre', cell: ({ name }) => <span className="font-medium">{name}</span>, card: 'title' },
  { header: 'Énergie', cell: ({ wh }) => <span className="tabular">{formatKwh(wh / 1000)}</span>, align: 'end' },
  { header: 'Tarif en vigueur', cell: ({ gross }) => <Amount cents={gross} />, align: 'end' },
  { header: 'Avec cette version', cell: ({ simulatedGross }) => <Amount cents={simulatedGross} />, align: 'end' },
  {
    header: 'Écart',
    cell: ({ gross, simulatedGross }) => (
      <span className="tabular font-medium">{formatSignedMoney(simulatedGross - gross)}</span>
    ),
    align: 'end',
  },
]

function SimulationResult({ tariff, month }: { tariff: Tariff; month: string }) {
  const body = { operationId: tariff.operationId, month, tariffId: tariff.id }
  const { data, error } = useQuery({ ...query(billing.simulate, { body }), staleTime: 0 })
  if (error)
    return (
      <p role="alert" className="text-body text-danger">
        {explainError(error)}
      </p>
    )
  if (!data) return <TableSkeleton label="Simulation" />
  const { gross, simulatedGross } = data.totals
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p className="text-body">
        Au total, <strong className="tabular font-semibold">{formatMoney(simulatedGross)}</strong> au lieu de{' '}
        <span className="tabular">{formatMoney(gross)}</span>, soit{' '}
        <strong className="tabular font-semibold">{formatSignedMoney(simulatedGross - gross)}</strong>, toutes taxes
        comprises.
      </p>
      <Table label="Simulation par membre" rows={data.members} columns={columns} />
    </div>
  )
}

/** What a month that is over would have cost each member under this version, beside what held then. */
const TariffSimulation = withAccess(billing.simulate, ({ tariff }: { tariff: Tariff }) => {
  const id = useId()
  const [month, setMonth] = useState('')
  return (
    <Card
      title="Simuler sur un mois passé"
      description="Les mêmes kilowattheures, facturés par cette version telle qu’elle est enregistrée. Rien n’est écrit."
    >
      <div className="grid gap-5 [&>*]:min-w-0">
        <div className="max-w-xs">
          <FieldFrame id={id} label="Mois">
            <Select
              id={id}
              value={month}
              onChange={({ target }) => setMonth(target.value)}
              options={[
                { value: '', label: 'Choisir un mois' },
                ...getPastMonths().map((each) => ({ value: each, label: monthWords(`${each}-15`) })),
              ]}
            />
          </FieldFrame>
        </div>
        {month && <SimulationResult key={month} tariff={tariff} month={month} />}
      </div>
    </Card>
  )
})

type AdoptButtonProps = { tariff: Tariff; changed: boolean; problems: TariffProblem[] }

const AdoptButton = withAccess(tariffs.adopt, ({ tariff, changed, problems }: AdoptButtonProps) => {
  const { run } = useAction(tariffs.adopt, TARIFF_DEPENDENT_QUERIES)
  const refused = problems.some(({ severity }) => severity === 'refused')
  const doubts = problems.filter(({ severity }) => severity !== 'refused')
  const needsReason = problems.some(({ severity }) => severity === 'reason')
  const [reason, setReason] = useState('')
  const adopt = async () => {
    const { id, version } = tariff
    const body = { version, ...(needsReason && { reason }) }
    // Of months that were billed one sees first what they would come to.
    if (needsReason && !(await confirmImpact({ kind: 'tariff', id, body }, 'Adopter ce tarif'))) return
    await run({ params: { id }, body })
    toast({ title: `Version ${tariff.number} adoptée`, variant: 'success' })
  }
  return (
    <Confirm
      tone="primary"
      title={`Adopter la version ${tariff.number}\u00a0?`}
      description={
        <>
          Ces prix seront facturés {formatTariffPeriod(tariff)}, au jour près. Une version adoptée ne change plus&nbsp;:
          pour d’autres prix, une nouvelle version prendra sa suite.
          {doubts.map(({ message }) => (
            <span key={message} className="mt-3 block font-medium text-warning">
              {message}
            </span>
          ))}
          {needsReason && (
            <span className="mt-3 block">
              <Textarea
                aria-label="Pourquoi ce tarif change des mois clos"
                placeholder={'Pourquoi\u00a0? Ce motif reste au journal.'}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            </span>
          )}
        </>
      }
      action="Adopter ce tarif"
      onConfirm={adopt}
      trigger={
        <Button variant="secondary" disabled={changed || refused}>
          Adopter ce tarif
        </Button>
      }
    />
  )
})

const RemoveDraftButton = withAccess(tariffs.remove, ({ tariff }: { tariff: Tariff }) => {
  const navigate = useNavigate()
  const link = useVersionLink()
  const { run } = useAction(tariffs.remove, [tariffs.list, tariffs.indexes])
  const remove = async () => {
    await run({ params: { id: tariff.id } })
    void navigate(link({}))
  }
  return (
    <Confirm
      title={`Supprimer le brouillon ${tariff.number}\u00a0?`}
      description={`Les prix prévus au ${formatTariffDay(tariff.startsOn)} seront perdus.`}
      action="Supprimer le brouillon"
      onConfirm={remove}
      trigger={<Button variant="quiet">Supprimer le brouillon</Button>}
    />
  )
})

const CopyTariffLink = withAccess(tariffs.create, ({ id }: { id: string }) => {
  const link = useVersionLink()
  return (
    <ButtonLink
      variant="secondary"
      size="small"
      icon={<Copy aria-hidden="true" />}
      to={link({ version: NEW_TARIFF_VERSION, modele: id })}
    >
      Copier dans une nouvelle version
    </ButtonLink>
  )
})
