import { useQuery } from '@tanstack/react-query'
import { billing, type MonthCheck } from '@voisol/contract/billing'
import { useState } from 'react'
import { formatBillingMonthTitle, MONTH_STATE_LABELS } from '../../lib/billing-labels.ts'
import { Can } from '../../lib/can.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Steps } from '../../ui/steps.tsx'
import { MonthChecklist } from './checklist.tsx'
import { CloseMonth } from './close-month.tsx'
import { IssueMonth } from './issue-month.tsx'
import { MonthPreviewSection } from './preview.tsx'
import { CloseDryRun } from './rehearsal.tsx'
import { SendMonth } from './send-month.tsx'

const CLOSING_STEPS = ['Contrôler', 'Prévisualiser', 'Clôturer', 'Émettre', 'Envoyer']
const getCurrentStep = ({ state, canClose, unsent = 0 }: MonthCheck) => {
  if (state === 'issued') return unsent > 0 ? 4 : CLOSING_STEPS.length
  if (state === 'closed') return 3
  return canClose ? 2 : 0
}

export function MonthDetail({ operationId, month }: { operationId: string; month: string }) {
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
