import RotateCcw from 'lucide-react/icons/rotate-ccw'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Suspense } from 'react'
import { explainError } from '../lib/error-text.ts'
import { Button } from './button.tsx'
import { lazy } from './lazy.tsx'

/** Every page carries what tells of an error; only one that has a number needs this. */
const CopyButton = lazy(
  async () => ({ default: (await import('./copy-button.tsx')).CopyButton }),
  () => null,
)

const getRequestId = (error: unknown) =>
  error instanceof Error && 'requestId' in error && typeof error.requestId === 'string' ? error.requestId : undefined

const SUPPORT_ADVICE = 'Si le problème persiste, écrivez au support en citant la référence.'

type ErrorStateProps = {
  error?: Error | null
  title?: string
  advice?: string
  onRetry?: () => unknown
  requestId?: string
}

/** What happened, what to do, and the number to quote to support. */
export function ErrorState({ error, title = 'Le chargement a échoué', advice, onRetry, requestId }: ErrorStateProps) {
  const id = requestId ?? getRequestId(error)
  // Without an answer there is no number to quote, and the sentence above says what to do.
  const shownAdvice = advice ?? (id ? SUPPORT_ADVICE : error ? '' : 'Réessayez dans un instant.')
  return (
    <div role="alert" className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 grid size-12 place-items-center rounded-full bg-danger-soft text-danger">
        <TriangleAlert aria-hidden="true" className="size-6" />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      {error && <p className="max-w-md text-body">{explainError(error)}</p>}
      {shownAdvice && <p className="max-w-md text-body text-ink-soft">{shownAdvice}</p>}
      {onRetry && (
        <Button
          className="mt-4"
          variant="secondary"
          icon={<RotateCcw aria-hidden="true" />}
          onClick={() => void onRetry()}
        >
          Réessayer
        </Button>
      )}
      {id && (
        <p className="mt-3 flex flex-wrap items-center justify-center gap-2 text-[0.8125rem] text-ink-soft">
          Référence : <code className="tabular">{id}</code>
          <Suspense fallback={null}>
            <CopyButton text={id} />
          </Suspense>
        </p>
      )}
    </div>
  )
}
