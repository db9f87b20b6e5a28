import Check from 'lucide-react/icons/check'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { cx } from '../../../components/cx.ts'
import { Spinner } from '../../../components/loading.tsx'
import { getStepPercent, type Overlay, type OverlayStep, overlayStore } from '../../../lib/logout-overlay.ts'
import { focusHeading } from '../../../lib/navigation.ts'

const STEP_TEXTS: Record<OverlayStep, { title: string; detail?: string }> = {
  'logging-out': { title: 'Déconnexion en cours...', detail: 'Nettoyage de vos données de session' },
  success: { title: 'Déconnexion réussie !', detail: 'Vos données ont été sécurisées' },
  redirecting: { title: 'Redirection...' },
}

export const useLogoutOverlay = () => useSyncExternalStore(overlayStore.subscribe, overlayStore.read, overlayStore.read)

function StepIcon({ step }: { step: OverlayStep }) {
  const done = step !== 'logging-out'
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-16 place-items-center rounded-full transition-colors duration-200',
        done ? 'bg-success-soft text-success' : 'bg-primary-soft text-primary-ink',
      )}
    >
      {done ? <Check className="size-8 animate-rise" /> : <Spinner className="size-7" />}
    </span>
  )
}

function StepProgressBar({ step }: { step: OverlayStep }) {
  const percent = getStepPercent(step)
  return (
    <div className="grid w-64 max-w-full gap-2">
      <div
        role="progressbar"
        aria-label="Progression de la déconnexion"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1.5 overflow-hidden rounded-full bg-slate-200"
      >
        <div
          className="h-full rounded-full bg-primary transition-[width] duration-500 ease-out motion-reduce:transition-none"
          style={{ width: `${percent}%` }}
        />
      </div>
      <p aria-hidden="true" className="tabular text-sm text-ink-soft">
        {percent}%
      </p>
    </div>
  )
}

function StepText({ step, username }: Pick<Overlay, 'step' | 'username'>) {
  const { title, detail } = STEP_TEXTS[step]
  const farewell = step === 'logging-out' && username
  return (
    <div role="status" className="grid min-h-28 content-start gap-1">
      <p id="logout-step" className="text-2xl font-semibold tracking-[-0.02em] whitespace-nowrap">
        {title}
      </p>
      {detail && <p className="text-base text-ink-soft">{detail}</p>}
      {farewell && <p className="mt-2 text-base font-medium">À bientôt, {username}</p>}
    </div>
  )
}

/** Takes the keyboard while it shows and gives it back to what had it, or to the page that is there instead. */
function useTemporaryFocus(visible: boolean) {
  const panel = useRef<HTMLDivElement>(null)
  const before = useRef<Element | null>(null)
  useEffect(() => {
    if (!visible) return
    before.current = document.activeElement
    panel.current?.focus()
    return () => {
      // One turn later the page beneath is no longer inert.
      setTimeout(() => {
        const last = before.current
        if (last instanceof HTMLElement && last.isConnected && last !== document.body) last.focus()
        else focusHeading()
      })
    }
  }, [visible])
  return panel
}

export function LogoutOverlay() {
  const { state, step, username } = useLogoutOverlay()
  const visible = state !== 'idle'
  const panel = useTemporaryFocus(visible)
  if (!visible) return null
  return (
    <div
      ref={panel}
      role="dialog"
      aria-modal="true"
      aria-labelledby="logout-step"
      tabIndex={-1}
      data-state={state}
      data-step={step}
      className={cx(
        'fixed inset-0 z-90 grid place-items-center bg-white p-6 text-center outline-none transition-opacity duration-200',
        state === 'hidden' ? 'opacity-0' : 'animate-appear',
      )}
    >
      <div className="grid justify-items-center gap-6">
        <StepIcon step={step} />
        <StepText step={step} username={username} />
        <StepProgressBar step={step} />
      </div>
    </div>
  )
}
