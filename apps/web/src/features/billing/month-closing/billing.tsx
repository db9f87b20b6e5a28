import { useQuery } from '@tanstack/react-query'
import { type BillingMonth, billing, type CheckItem, type CheckLevel, type MonthCheck } from '@voisol/contract/billing'
import type { Operation } from '@voisol/contract/operations'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useId, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldFrame, Textarea } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { Steps } from '../../../components/steps.tsx'
import { formatBillingMonth, formatBillingMonthTitle, MONTH_STATE_LABELS } from '../../../lib/billing-labels.ts'
import { Can } from '../../../lib/can.tsx'
import { formatCount, formatDateTime, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { CloseDryRun } from './dry-run.tsx'
import { MonthPreviewSection, type OperationMonth } from './month-preview.tsx'

/** One guided page: a month is checked, previewed, closed and issued. The operation and the month stand in the address. */
export default function Billing() {
  return (
    <OperationSelector why={'Les mois se facturent opération par opération, une fois leur énergie répartie.'}>
      {(operation) => <MonthsToBill operation={operation} />}
    </OperationSelector>
  )
}

/** Where the page's own text begins. */
const PAGE_PADDING = 16

/** The month that waits: the oldest one to close since the first that was billed here, else the last one that is over. */
function findNextMonth(items: BillingMonth[]) {
  const first = items.findLastIndex(({ state }) => state === 'issued')
  const since = first < 0 ? items : items.slice(0, first)
  return (
    since.findLast(({ state }) => state === 'ready') ??
    items.find(({ state }) => state !== 'open') ??
    items[1] ??
    items[0]
  )
}

function MonthsToBill({ operation }: { operation: Pick<Operation, 'id' | 'name'> }) {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(billing.months, { query: { operationId: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ month }) => month === search.get('month')) ?? findNextMonth(data.items)
  if (!chosen)
    return (
      <EmptyState
        title="Aucun mois à facturer"
        why="Les mois paraissent ici dès qu’un consommateur participe à l’opération."
        action={<ButtonLink to={`/acc-operations/${operation.id}/participants`}>Ajouter des participants</ButtonLink>}
      />
    )
  const choose = (month: string) =>
    setSearch({ operation: operation.id, month }, { preventScrollReset: true, replace: true })
  return (
    <div className="grid gap-6 lg:grid-cols-[17rem_minmax(0,1fr)] [&>*]:min-w-0">
      <MonthList items={data.items} chosen={chosen} onChoose={choose} />
      <MonthDetail key={chosen.month} operationId={operation.id} month={chosen.month} />
    </div>
  )
}

type MonthListProps = { items: BillingMonth[]; chosen: BillingMonth; onChoose: (month: string) => void }

/** Beside the month all of them, in the page's own scroll; above it a row, which begins at the chosen one. */
function MonthList({ items, chosen, onChoose }: MonthListProps) {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const at = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && at) row.current.scrollLeft += at.getBoundingClientRect().left - PAGE_PADDING
  }, [])
  return (
    <nav
      ref={row}
      aria-label="Mois de l’opération"
      className="relative max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:pb-1"
    >
      <ul className="flex gap-2 lg:flex-col lg:gap-1">
        {items.map((month) => (
          <MonthItem key={month.month} month={month} chosen={month === chosen} onChoose={onChoose} />
        ))}
      </ul>
    </nav>
  )
}

type MonthItemProps = { month: BillingMonth; chosen: boolean; onChoose: (month: string) => void }

function MonthItem({ month, chosen, onChoose }: MonthItemProps) {
  const { label, tone } = MONTH_STATE_LABELS[month.state]
  return (
    <li className="max-lg:shrink-0">
      <button
        type="button"
        aria-current={chosen || undefined}
        onClick={() => onChoose(month.month)}
        className={cx(
          'flex w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-card border px-3 py-2 text-left max-lg:w-44',
          chosen ? 'border-primary-ink bg-primary-soft' : 'border-line bg-card hover:border-control',
        )}
      >
        <span className="mr-auto text-body font-medium">{formatBillingMonthTitle(month.month)}</span>
        {month.totals && <span className="tabular text-[0.8125rem]">{formatMoney(month.totals.gross)}</span>}
        <Badge tone={tone}>{label}</Badge>
      </button>
    </li>
  )
}

const CLOSING_STEPS = ['Contrôler', 'Prévisualiser', 'Clôturer', 'Émettre', 'Envoyer']
const getCurrentStep = ({ state, canClose, unsent = 0 }: MonthCheck) => {
  if (state === 'issued') return unsent > 0 ? 4 : CLOSING_STEPS.length
  if (state === 'closed') return 3
  return canClose ? 2 : 0
}

function MonthDetail({ operationId, month }: { operationId: string; month: string }) {
  const [acceptLastIndex, setAccept] = useState(false)
  const params = { operationId, month }
  const choices = acceptLastIndex ? { acceptLastIndex: 'true' as const } : {}
  const { data, error, refetch } = useQuery({ ...query(billing.check, { params, query: choices }), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { label, tone } = MONTH_STATE_LABELS[data.state]
  const closed = data.state === 'closed' || data.state === 'issued'
  return (
    <div className="grid content-start gap-5 [&>*]:min-w-0">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 className="flex flex-wrap items-center gap-3 text-lg font-semibold">
          {formatBillingMonthTitle(month)}
          <Badge tone={tone}>{label}</Badge>
        </h2>
        <Steps steps={CLOSING_STEPS} current={getCurrentStep(data)} />
      </header>
      {closed ? (
        <ClosedFacts check={data} />
      ) : (
        <MonthChecklist check={data} onRefresh={refetch} onAcceptIndex={setAccept} />
      )}
      {Boolean(data.totals?.documents) && <MonthPreviewSection params={params} choices={choices} closed={closed} />}
      {!closed && (
        <Can call={billing.close}>
          <CloseMonth params={params} check={data} acceptLastIndex={acceptLastIndex} />
        </Can>
      )}
      <CloseDryRun params={params} closed={closed} />
      {data.state === 'closed' && (
        <Can call={billing.issue}>
          <IssueMonth params={params} check={data} />
        </Can>
      )}
      {data.state === 'issued' && (
        <Can call={billing.send}>
          <SendMonth params={params} check={data} />
        </Can>
      )}
    </div>
  )
}

function ClosedFacts({ check }: { check: MonthCheck }) {
  const { closedAt, closedBy, issuedAt, issuedBy, reason, items } = check
  return (
    <Card>
      <p className="text-body">
        Clos par {closedBy}
        {closedAt && <> le {formatDateTime(closedAt)}</>}&nbsp;: ses quantités et ses prix ne changent plus.
        {issuedAt && (
          <>
            {' '}
            Documents émis par {issuedBy} le {formatDateTime(issuedAt)}.
          </>
        )}
      </p>
      {items
        .filter(({ code }) => code !== 'closed')
        .map(({ code, sentence }) => (
          <p key={code} className="mt-2 text-body">
            {sentence}
          </p>
        ))}
      {reason && <p className="mt-2 text-body text-ink-soft">Clos malgré des réserves&nbsp;: {reason}</p>}
    </Card>
  )
}

/** Gives every document its number. A second click issues nothing. */
function IssueMonth({ params, check }: { params: OperationMonth; check: MonthCheck }) {
  const issue = useAction(billing.issue, [billing.months, billing.check])
  const count = check.totals?.documents ?? 0
  const run = async () => {
    const { issued } = await issue.run({ params })
    toast({
      title: `${formatCount(issued, 'document émis', 'documents émis')}`,
      variant: 'success',
      link: { to: '/invoices', label: 'Voir les factures' },
    })
  }
  return (
    <Card
      title="Émettre"
      description={
        'Chaque document reçoit son numéro et sa date du jour. Une facture émise ne change plus\u00a0: une correction est un avoir ou une facture complémentaire.'
      }
    >
      <Confirm
        title={`Émettre les documents de ${formatBillingMonth(params.month)}\u00a0?`}
        description={`${formatCount(count, 'document reçoit', 'documents reçoivent')} un numéro, pour de bon.`}
        action="Émettre les documents"
        tone="primary"
        onConfirm={run}
        trigger={<Button>Émettre {formatCount(count, 'document')}</Button>}
      />
    </Card>
  )
}

const INVOICES_LINK = { to: '/invoices', label: 'Voir les factures' }

/** Sends what has reached nobody yet. Whoever buys from several sellers gets one message, with its avis d’échéance. */
function SendMonth({ params, check }: { params: OperationMonth; check: MonthCheck }) {
  const send = useAction(billing.send, [billing.check])
  const left = check.unsent ?? 0
  const run = async () => {
    const { sent, failed } = await send.run({ params })
    const title = formatCount(sent, 'document envoyé', 'documents envoyés')
    if (failed)
      toast({
        title,
        description: `${formatCount(failed, 'document n’a pas pu partir', 'documents n’ont pas pu partir')}\u00a0: sa fiche dit pourquoi.`,
        link: INVOICES_LINK,
      })
    else toast({ title, variant: 'success', link: INVOICES_LINK })
  }
  if (left === 0)
    return (
      <Card
        title="Envoyés"
        actions={
          <ButtonLink to={`/invoices?month=${params.month}-01`} variant="secondary" size="small">
            Voir les documents
          </ButtonLink>
        }
      >
        <p className="text-body">Tous les documents de ce mois sont partis vers leurs acheteurs.</p>
      </Card>
    )
  return (
    <Card
      title="Envoyer"
      description={
        'Chaque acheteur reçoit ses documents comme il l’a demandé\u00a0: par e-mail, dans son espace ou sur Chorus Pro. Qui achète à plusieurs vendeurs reçoit un seul message, avec un avis d’échéance.'
      }
    >
      <Confirm
        title={`Envoyer les documents de ${formatBillingMonth(params.month)}\u00a0?`}
        description={`${formatCount(left, 'document part', 'documents partent')} vers ${left > 1 ? 'leurs acheteurs' : 'son acheteur'}. Ce qui est déjà parti ne part pas deux fois.`}
        action="Envoyer"
        tone="primary"
        onConfirm={run}
        trigger={<Button>Envoyer {formatCount(left, 'document')}</Button>}
      />
    </Card>
  )
}

const MIN_REASON_LENGTH = 10

type CloseMonthProps = { params: OperationMonth; check: MonthCheck; acceptLastIndex: boolean }

/** Freezes the month: its quantities, its prices and its documents do not change any more. */
function CloseMonth({ params, check, acceptLastIndex }: CloseMonthProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  const close = useAction(billing.close, [billing.months, billing.check, billing.preview])
  const { canClose, needsReason, totals } = check
  const short = needsReason && reason.trim().length < MIN_REASON_LENGTH
  const run = async () => {
    const why = reason.trim()
    await close.run({ params, body: { acceptLastIndex, ...(why.length >= MIN_REASON_LENGTH && { reason: why }) } })
    toast({ title: `${formatBillingMonth(params.month)}\u00a0: mois clos`, variant: 'success' })
  }
  return (
    <Card
      title="Clôturer"
      description={
        canClose
          ? 'La clôture fige les quantités et les prix du mois sous une empreinte. Elle ne s’annule pas.'
          : 'Réglez d’abord ce que dit la liste de contrôle.'
      }
    >
      {needsReason && canClose && (
        <div className="mb-4 max-w-2xl">
          <FieldFrame
            id={id}
            label="Raison de clôturer malgré ces réserves"
            hint="Elle est gardée avec le mois et dans le journal."
          >
            <Textarea
              id={id}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              placeholder={'Par exemple\u00a0: quantités d’Enedis attendues le 15, régularisation ensuite.'}
            />
          </FieldFrame>
        </div>
      )}
      <Confirm
        title={`Clôturer ${formatBillingMonth(params.month)}\u00a0?`}
        description={`${formatCount(totals?.documents ?? 0, 'document')}, ${formatMoney(totals?.gross ?? 0)} TTC. Un mois clos ne se rouvre pas\u00a0: une erreur trouvée ensuite se règle par une régularisation.`}
        action="Clôturer le mois"
        tone="primary"
        onConfirm={run}
        trigger={<Button disabled={!canClose || short}>Clôturer le mois</Button>}
      />
    </Card>
  )
}

const LEVEL_STYLES: Record<CheckLevel, { Icon: typeof CircleAlert; tone: string; words: string; action: string }> = {
  blocking: { Icon: CircleAlert, tone: 'text-danger', words: 'À régler', action: 'Régler' },
  warning: { Icon: TriangleAlert, tone: 'text-warning', words: 'À vérifier', action: 'Voir' },
  ok: { Icon: CircleCheck, tone: 'text-success', words: 'En ordre', action: '' },
}
const LEVEL_ORDER: CheckLevel[] = ['blocking', 'warning', 'ok']

function ChecklistItem({ item, onAcceptIndex }: { item: CheckItem; onAcceptIndex: (accept: boolean) => void }) {
  const { Icon, tone, words, action } = LEVEL_STYLES[item.level]
  const index = item.level === 'blocking' && (item.code === 'indexMissing' || item.code === 'indexNotPublished')
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3">
      <span className="flex min-w-0 flex-1 basis-72 items-start gap-2.5 text-body">
        <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
        <span className="min-w-0">
          <span className="sr-only">{words}&nbsp;: </span>
          {item.sentence}
        </span>
      </span>
      <span className="flex flex-wrap gap-2 max-sm:pl-6.5">
        {index && (
          <Button size="small" variant="secondary" onClick={() => onAcceptIndex(true)}>
            Accepter la dernière valeur
          </Button>
        )}
        {action && item.href && (
          <ButtonLink size="small" variant="secondary" to={item.href} aria-label={`${action}\u00a0: ${item.sentence}`}>
            {action}
          </ButtonLink>
        )}
      </span>
    </li>
  )
}

const summarizeCheck = ({ items, canClose, needsReason }: MonthCheck) => {
  const count = (level: CheckLevel) => items.filter((item) => item.level === level).length
  if (!canClose) return `${formatCount(count('blocking'), 'point')} à régler avant de clôturer.`
  return needsReason
    ? `Rien ne bloque\u00a0; ${formatCount(count('warning'), 'point')} à vérifier. La clôture demandera une raison.`
    : 'Tout est en ordre\u00a0: ce mois peut être clos.'
}

type MonthChecklistProps = {
  check: MonthCheck
  onRefresh: () => unknown
  onAcceptIndex: (accept: boolean) => void
}

/** What stands in the way first; what is in order is said too. */
function MonthChecklist({ check, onRefresh, onAcceptIndex }: MonthChecklistProps) {
  const items = LEVEL_ORDER.flatMap((level) => check.items.filter((item) => item.level === level))
  return (
    <Card
      title="Contrôler"
      description={summarizeCheck(check)}
      actions={
        <Button
          size="small"
          variant="quiet"
          icon={<RefreshCw aria-hidden="true" />}
          onClick={() => {
            void onRefresh()
          }}
        >
          Contrôler à nouveau
        </Button>
      }
    >
      <ul className="-my-3 divide-y divide-line">
        {items.map((item) => (
          <ChecklistItem key={`${item.code} ${item.sentence}`} item={item} onAcceptIndex={onAcceptIndex} />
        ))}
      </ul>
    </Card>
  )
}
