import type { CurrentUser } from '@voisol/contract/auth'
import { portalManagement } from '@voisol/contract/portal-management'
import Eye from 'lucide-react/icons/eye'
import { Button } from '../../components/button.tsx'
import { call } from '../../lib/call.ts'
import { setImpersonationId } from '../../lib/storage.ts'

type Impersonation = NonNullable<CurrentUser['viewing']>

/** The back office again; what the server may say of it no longer matters here. */
async function endImpersonation({ viewId }: Impersonation) {
  setImpersonationId(null)
  await call(portalManagement.endView, { params: { id: viewId } }).catch(() => {})
  location.assign('/participant-portal')
}

/** Whose portal this is, as long as it is looked at. */
export default function ImpersonationBanner({ viewing }: { viewing: Impersonation }) {
  return (
    <section
      aria-label="Vue d’un participant"
      data-print="hide"
      className="sticky top-0 z-30 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-ink px-4 py-2 text-center text-[0.9375rem] text-white"
    >
      <p className="flex items-center gap-2">
        <Eye aria-hidden="true" className="size-5 shrink-0" />
        <span>
          Vous voyez le portail de <strong className="font-semibold">{viewing.name}</strong> — lecture seule
        </span>
      </p>
      <Button variant="secondary" size="small" onClick={() => endImpersonation(viewing)}>
        Quitter
      </Button>
    </section>
  )
}

export const PersonalScreenNotice = () => (
  <div className="grid gap-3 rounded-card border border-line bg-card p-6">
    <h1 className="text-2xl font-semibold">Cet écran reste à la personne</h1>
    <p className="text-ink-soft">
      Son profil, ses accords, ses moyens de connexion, ses comptes et ses notifications ne se montrent à personne
      d’autre.
    </p>
  </div>
)
