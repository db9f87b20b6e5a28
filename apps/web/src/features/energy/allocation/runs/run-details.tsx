import { useQuery } from '@tanstack/react-query'
import { allocations, type MemberCompleteness, type Run } from '@voisol/contract/allocations'
import PenLine from 'lucide-react/icons/pen-line'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { MeterSideLabel } from '../../../../components/energy-cells.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatFullDay } from '../../../../components/period/period-labels.ts'
import { countGapDays, countMissingSteps, formatGaps, getMeterName } from '../../../../components/suspended.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { formatCount, formatDateTime, formatEnergy, formatNumber } from '../../../../lib/format.ts'
import { buildPeriodSearch } from '../../../../lib/period-context.ts'
import { query } from '../../../../lib/queries.ts'
import { useSession } from '../../../../lib/session.ts'
import { toWattHours } from '../labels.tsx'
import { MissingList } from './start-run.tsx'

type CompletenessRow = MemberCompleteness & { id: string }

const hasAllReadings = ({ steps, measured, corrected }: MemberCompleteness) => measured + corrected === steps

/** Each level that is there, under its own name. */
const listLevels = ({ measured, corrected, estimated, own, profile }: MemberCompleteness) =>
  (
    [
      [measured, 'mesurés'],
      [corrected, 'corrigés'],
      [estimated, 'estimés par le distributeur'],
      [own, 'estimés d’après ses autres jours'],
      [profile, 'estimés d’après le profil des autres'],
    ] satisfies [number, string][]
  ).filter(([count]) => count > 0)

const columns: Column<CompletenessRow>[] = [
  {
    header: 'Compteur',
    cell: (row) => (
      <span className="block min-w-44 py-1">
        <span className="block font-medium">{getMeterName(row)}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">
          <MeterSideLabel direction={row.direction} storage={row.storage} /> · {formatPrm(row.prm)}
        </span>
      </span>
    ),
  },
  {
    header: 'Sans relevé',
    cell: ({ missing, gaps }) =>
      missing === 0 ? (
        '–'
      ) : (
        <span className="block min-w-52 py-1">
          <span className="font-medium text-warning">
            {formatNumber(missing)} pas, {formatCount(countGapDays(gaps), 'jour')}
          </span>
          <span className="block text-[0.8125rem] text-ink-soft">{formatGaps(gaps)}</span>
        </span>
      ),
  },
  {
    header: 'Ses chiffres reposent sur',
    cell: (row) => (
      <ul className="grid min-w-52 gap-0.5 py-1">
        {listLevels(row).map(([count, words]) => (
          <li key={words}>
            <span className="tabular">{formatNumber(count)}</span> pas {words}
          </li>
        ))}
        {listLevels(row).length === 0 && <li className="text-ink-soft">Aucun relevé</li>}
      </ul>
    ),
  },
]

function UncoveredDays({ gaps }: { gaps: { from: string; to: string; steps: number }[] }) {
  if (gaps.length === 0) return null
  return (
    <p className="rounded-card bg-warning-soft p-3 text-body text-warning">
      La clé n’avait pas de coefficient pour {formatCount(countGapDays(gaps), 'jour')} (
      {formatNumber(countMissingSteps(gaps))} pas)&nbsp;: {formatGaps(gaps)}. La règle par défaut, au prorata des
      consommations, y a été appliquée.
    </p>
  )
}

function MemberCompletenessTable({ members }: { members: MemberCompleteness[] }) {
  const partial = members
    .filter((member) => !hasAllReadings(member))
    .map((member) => ({ ...member, id: member.pointId }))
  const whole = members.length - partial.length
  const hasMissingReadings = partial.some(({ missing }) => missing > 0)
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p className="text-body">
        {whole === members.length
          ? `Les relevés ${members.length < 2 ? 'du compteur' : `des ${formatNumber(members.length)} compteurs`} sont complets, mesurés ou corrigés.`
          : `${formatCount(whole, 'compteur complet', 'compteurs complets')} sur ${formatNumber(members.length)}.`}
        {hasMissingReadings &&
          ' Sans relevé, un compteur ne prend pas part au partage\u00a0: sa part suit la règle de la clé.'}
      </p>
      {partial.length > 0 && <Table label="Compteurs incomplets" rows={partial} columns={columns} />}
    </div>
  )
}

/** What each member's figures rest on: measured, corrected, estimated and how, or nothing at all. */
export function CompletenessCard({ run }: { run: Run }) {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(query(allocations.completeness, { params: { id: run.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-44 w-full" />
  const { members, uncovered } = data
  return (
    <Card
      title="Complétude des données"
      description="Ce sur quoi reposent les chiffres de chaque compteur."
      actions={
        members?.some(({ missing }) => missing > 0) && (
          <ButtonLink
            variant="secondary"
            size="small"
            to={`/companies/${user?.companyId ?? ''}/operations/${run.operationId}/load-curves?onglet=completude&${buildPeriodSearch({ unit: 'range', from: run.from, to: run.to })}`}
          >
            Voir les relevés manquants
          </ButtonLink>
        )
      }
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <UncoveredDays gaps={uncovered} />
        {members ? (
          <MemberCompletenessTable members={members} />
        ) : (
          <p className="text-body text-ink-soft">
            Ce calcul date d’avant le suivi de la complétude&nbsp;: le détail par compteur n’a pas été gardé.
          </p>
        )}
      </div>
    </Card>
  )
}

/** The days on which something could not be shared, for whoever will ask for the readings. */
export function ExcludedDays({ run }: { run: Run }) {
  const { user } = useSession()
  const { data } = useQuery(query(allocations.days, { params: { id: run.id } }))
  const days = data?.items.filter(({ excluded }) => excluded > 0).map((item) => ({ ...item, id: item.day })) ?? []
  if (days.length === 0) return null
  return (
    <Card
      title="Jours non répartis"
      description="À certains instants de ces jours, personne n’avait de relevé ou aucune clé n’était en vigueur."
      actions={
        <ButtonLink
          variant="secondary"
          size="small"
          to={`/companies/${user?.companyId ?? ''}/operations/${run.operationId}/load-curves?onglet=completude&${buildPeriodSearch({ unit: 'range', from: run.from, to: run.to })}`}
        >
          Voir les relevés manquants
        </ButtonLink>
      }
    >
      <Table
        label="Jours non répartis"
        rows={days}
        columns={[
          { header: 'Jour', cell: ({ day }) => <span className="whitespace-nowrap">{formatFullDay(day)}</span> },
          { header: 'Pas exclus', align: 'end', cell: ({ excluded }) => formatNumber(excluded) },
          { header: 'Énergie locale', align: 'end', cell: ({ allocated }) => formatEnergy(toWattHours(allocated)) },
          { header: 'Surplus', align: 'end', cell: ({ surplus }) => formatEnergy(toWattHours(surplus)) },
        ]}
      />
    </Card>
  )
}

/** The word of whoever closed the figures without what was missing. */
export function SignOffNotice({ signOff }: { signOff: NonNullable<Run['signOff']> }) {
  const { reason, by, at, missing } = signOff
  return (
    <section
      aria-label="Confirmation malgré des données incomplètes"
      className="grid gap-3 rounded-card bg-warning-soft p-4 text-body"
    >
      <p className="flex items-start gap-2 font-medium text-warning">
        <PenLine aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        Confirmé malgré des données incomplètes, par {by} le {formatDateTime(at)}
      </p>
      <blockquote className="prose-width border-l-2 border-warning pl-3">{reason}</blockquote>
      <MissingList missing={missing} />
    </section>
  )
}
