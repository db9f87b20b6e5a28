import { Logo } from '../../components/logo.tsx'
import { PRODUCT_NAME } from '../../lib/metadata.ts'

/** What is seen before the application has started. */
export function Splash() {
  return (
    <div className="grid min-h-dvh place-items-center bg-white" role="status">
      <div className="flex flex-col items-center gap-4 text-center">
        <Logo className="size-14" />
        <p className="text-2xl font-semibold tracking-tight text-slate-900">{PRODUCT_NAME}</p>
        <p className="text-slate-600">Initialisation de l'application en cours...</p>
      </div>
    </div>
  )
}
