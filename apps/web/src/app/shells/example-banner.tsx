import { auth } from '@voisol/contract/auth'
import { onboarding } from '@voisol/contract/onboarding'
import { useNavigate } from 'react-router'
import { Confirm } from '../../components/dialog.tsx'
import { call } from '../../lib/call.ts'
import { refreshUser } from '../../lib/session.ts'
import { switchSessionCompany } from '../../lib/session-place.ts'
import { toast } from '../../lib/toast.ts'

const linkClass = 'min-h-6 font-medium text-primary-ink underline underline-offset-2'

/** Over every screen of an example: that it is one, the way home, and the way to be rid of it. */
export function ExampleBanner({ home }: { home: number }) {
  const navigate = useNavigate()
  const leave = async () => {
    await switchSessionCompany(await call(auth.me, {}), home)
    await navigate('/dashboard')
  }
  const remove = async () => {
    await leave()
    await call(onboarding.removeExample, {})
    await refreshUser()
    toast({ title: 'Exemple supprimé', variant: 'success' })
  }
  return (
    <section
      aria-label="Organisation d’exemple"
      data-print="hide"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-amber-100 px-4 py-1.5 text-center text-[0.8125rem] text-amber-950"
    >
      <p>
        <strong className="font-semibold">Données d’exemple</strong>
        <span className="hidden sm:inline"> – tout ici est imaginaire, et rien n’en sort</span>
      </p>
      <button type="button" className={linkClass} onClick={() => void leave()}>
        Revenir à mon organisation
      </button>
      <Confirm
        title="Supprimer l’exemple&nbsp;?"
        description="Ses participants, ses courbes et ses factures disparaissent. Votre organisation n’en est pas touchée, et vous pourrez en refaire un."
        action="Supprimer l’exemple"
        onConfirm={remove}
        trigger={
          <button type="button" className={linkClass}>
            Supprimer l’exemple
          </button>
        }
      />
    </section>
  )
}
