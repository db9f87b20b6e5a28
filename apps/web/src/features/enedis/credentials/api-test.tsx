import { useQuery } from '@tanstack/react-query'
import { type EnedisCall, type EnedisCredential, type EnedisTrace, enedis } from '@voisol/contract/enedis'
import BookOpen from 'lucide-react/icons/book-open'
import Play from 'lucide-react/icons/play'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldFrame, Input, Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import {
  ConnectionChoice,
  NoConnectionAvailable,
  useConnectionChoice,
  useEnedisOverview,
} from './connection-choice.tsx'
import { ApiPath, getShortCallLabel, groupCallsByInterface, HttpMethod } from './docs/call-group.tsx'
import { formatHttpStatus, formatMilliseconds, getStatusTone, TraceView } from './trace/trace-view.tsx'
import { type CallParam, getInitialValues, type ParamValues, validateParams } from './try/call-params.ts'

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

const CALL_PARAM = 'appel'

/** The call one has chosen; the choice is in the address, where the documentation writes it too. */
function useCallChoice(calls: EnedisCall[]) {
  const [search, setSearch] = useSearchParams()
  const call = calls.find(({ id }) => id === search.get(CALL_PARAM)) ?? calls[0]
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set(CALL_PARAM, id)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return [call, choose] as const
}

type CallChoiceProps = { calls: EnedisCall[]; value: string; onChange: (id: string) => void }

const CallChoice = ({ calls, value, onChange }: CallChoiceProps) => (
  <FieldFrame id="call" label="Appel">
    <Select id="call" value={value} onChange={(event) => onChange(event.target.value)}>
      {groupCallsByInterface(calls).map((group) => (
        <optgroup key={group.id} label={group.title}>
          {group.calls.map((call) => (
            <option key={call.id} value={call.id}>
              {getShortCallLabel(call)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  </FieldFrame>
)

const MAX_RECORDED_CALLS = 20

type MakeCallInput = { call: EnedisCall; params: ParamValues; through: { credentialId?: string }; connection: string }

/** What the server says of a parameter, by its name. */
const toParamIssues = (error: unknown): ParamValues =>
  Object.fromEntries(
    (error instanceof ApiError ? (error.problem?.issues ?? []) : []).map(({ path, message }) => [
      path.replace(/^(body\.)?params\./, ''),
      message,
    ]),
  )

/** Makes calls and remembers the last ones, with what came back. */
function useCallRuns() {
  const send = useAction(enedis.run, [])
  const [made, setMade] = useState<RecordedCall[]>([])
  const [shown, setShown] = useState<number>()
  const [problem, setProblem] = useState('')
  const [issues, setIssues] = useState<ParamValues>({})
  const run = async ({ call, params, through, connection }: MakeCallInput) => {
    setProblem('')
    setIssues({})
    try {
      const trace = await send.run({ body: { ...through, call: call.id, params } })
      const at = Date.now()
      setMade((old) => [{ id: at, at, label: call.label, connection, trace }, ...old].slice(0, MAX_RECORDED_CALLS))
      setShown(at)
    } catch (error) {
      setIssues(toParamIssues(error))
      setProblem(explainError(error))
    }
  }
  return { run, busy: send.isPending, made, problem, issues, setShown, shown: made.find(({ id }) => id === shown) }
}

type ParamFieldProps = { param: CallParam; value: string; error: string | undefined; onChange: (value: string) => void }

function ParamField({ param, value, error, onChange }: ParamFieldProps) {
  const id = `param-${param.name}`
  return (
    <FieldFrame id={id} label={param.label} optional={!param.required} error={error}>
      <Input
        id={id}
        type={param.kind === 'day' ? 'date' : 'text'}
        inputMode={param.kind === 'prm' ? 'numeric' : undefined}
        placeholder={param.kind === 'day' ? undefined : param.example}
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  )
}

type CallFormProps = {
  call: EnedisCall
  values: ParamValues
  onType: (name: string, value: string) => void
  /** What the server found wrong. */
  issues: ParamValues
  busy: boolean
  onRun: (params: ParamValues) => void
}

/** The parameters of a call; nothing leaves before they make sense. */
function CallForm({ call, values, onType, issues, busy, onRun }: CallFormProps) {
  const [errors, setErrors] = useState<ParamValues>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { errors: found, cleaned } = validateParams(call.params, values)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first === undefined) onRun(cleaned)
    else event.currentTarget.querySelector<HTMLElement>(`#param-${CSS.escape(first)}`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {call.params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={values[param.name] ?? ''}
          error={errors[param.name] ?? issues[param.name]}
          onChange={(value) => onType(param.name, value)}
        />
      ))}
      {call.params.length === 0 && <p className="text-body text-ink-soft">Cet appel n’a pas de paramètre.</p>}
      <Button type="submit" className="justify-self-start" loading={busy} icon={<Play aria-hidden="true" />}>
        Lancer l’appel
      </Button>
    </form>
  )
}

type RecordedCall = { id: number; at: number; label: string; connection: string; trace: EnedisTrace }

type CallHistoryProps = { made: RecordedCall[]; shown: number | undefined; onShow: (id: number) => void }

/** The calls of this visit, the last one first; each can be looked at again. */
const CallHistory = ({ made, shown, onShow }: CallHistoryProps) => (
  <Card title="Appels de cette visite" description="La liste s’efface quand vous quittez la page.">
    <ol className="-mx-2 grid gap-1">
      {made.map((one) => (
        <li key={one.id}>
          <button
            type="button"
            aria-current={one.id === shown ? 'true' : undefined}
            onClick={() => onShow(one.id)}
            className={cx(
              'flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 py-1.5 text-left text-body',
              one.id === shown ? 'bg-primary-soft' : 'hover:bg-page',
            )}
          >
            <span className="tabular text-ink-soft">{formatTime(one.at)}</span>
            <span className="min-w-0 grow font-medium">{one.label}</span>
            <span className="text-[0.8125rem] text-ink-soft">{one.connection}</span>
            <Badge tone={getStatusTone(one.trace.status)}>{formatHttpStatus(one.trace.status)}</Badge>
            <span className="tabular text-[0.8125rem] text-ink-soft">{formatMilliseconds(one.trace.milliseconds)}</span>
          </button>
        </li>
      ))}
    </ol>
  </Card>
)
