import { useQuery } from '@tanstack/react-query'
import { type EnedisCall, type EnedisCredential, enedis } from '@voisol/contract/enedis'
import BookOpen from 'lucide-react/icons/book-open'
import { useState } from 'react'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ConnectionChoice, useConnectionChoice } from './connection-choice.tsx'
import { ApiPath, HttpMethod } from './docs/call-group.tsx'
import { NoConnectionAvailable } from './no-way.tsx'
import { TraceView } from './trace/trace-view.tsx'
import { CallChoice, useCallChoice } from './try/call-choice.tsx'
import { getInitialValues, type ParamValues } from './try/check.ts'
import { CallHistory } from './try/history.tsx'
import { CallForm } from './try/run-form.tsx'
import { useCallRuns } from './try/use-runs.ts'
import { useEnedisOverview } from './use-overview.ts'

type CallTesterProps = { calls: EnedisCall[]; credentials: EnedisCredential[]; sandboxUrl: string | null }

function CallTester({ calls, ...known }: CallTesterProps) {
  const connection = useConnectionChoice(known)
  const [call, chooseCall] = useCallChoice(calls)
  const [typed, setTyped] = useState<ParamValues>({})
  const runs = useCallRuns()
  if (connection.options.length === 0 || !call) return <NoConnectionAvailable />
  const name = connection.options.find(({ value }) => value === connection.value)?.label ?? ''
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(18rem,24rem)_minmax(0,1fr)] lg:items-start [&>*]:min-w-0">
      <Card>
        <div className="grid gap-4">
          <ConnectionChoice {...connection} />
          <CallChoice calls={calls} value={call.id} onChange={chooseCall} />
          <p className="flex items-start gap-2 rounded-control bg-page p-3 text-[0.8125rem]">
            <HttpMethod method={call.method} />
            <ApiPath path={call.path} />
          </p>
          <CallForm
            key={call.id}
            call={call}
            values={getInitialValues(call.params, typed)}
            onType={(field, value) => setTyped((old) => ({ ...old, [field]: value }))}
            issues={runs.issues}
            busy={runs.busy}
            onRun={(params) => void runs.run({ call, params, through: connection.through, connection: name })}
          />
          {runs.problem && (
            <p role="alert" className="text-body text-danger">
              {runs.problem}
            </p>
          )}
        </div>
      </Card>
      <div className="grid gap-6 [&>*]:min-w-0">
        <Card title={runs.shown ? runs.shown.label : 'Réponse'}>
          {runs.shown ? (
            <TraceView trace={runs.shown.trace} label="Corps de la réponse" file={`enedis-${call.id}.json`} />
          ) : (
            <p className="text-body text-ink-soft">
              Lancez l’appel&nbsp;: le statut, la durée, les en-têtes et le corps de la réponse s’affichent ici.
            </p>
          )}
        </Card>
        {runs.made.length > 0 && <CallHistory made={runs.made} shown={runs.shown?.id} onShow={runs.setShown} />}
      </div>
    </div>
  )
}

/** Any call of the distributor, made by hand. */
export default function EnedisTest() {
  const overview = useEnedisOverview()
  const calls = useQuery(query(enedis.calls, {}))
  const error = overview.error ?? calls.error
  return (
    <>
      <PageHeader
        title="Test des appels"
        description="Faites un appel à la main et voyez la réponse du distributeur telle qu’elle arrive."
        actions={
          <ButtonLink variant="secondary" to="/enedis-api/docs" icon={<BookOpen aria-hidden="true" />}>
            Documentation
          </ButtonLink>
        }
      />
      {overview.data && calls.data ? (
        <CallTester {...overview.data} calls={calls.data.calls} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => Promise.all([overview.refetch(), calls.refetch()])} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  )
}
