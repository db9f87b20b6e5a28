import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { useCallback, useEffect, useState } from 'react'
import { checkSession, SESSION_CHECK_MS } from '../../lib/activity.ts'
import { clearLogoutHistory } from '../../lib/session-records.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LogoutHistory } from './logout-history.tsx'
import { SessionValues } from './session-values.tsx'
import { readSessionSnapshot } from './snapshot.ts'

/** What this browser holds, read again as often as the product itself checks it. */
function useSessionSnapshot() {
  const [values, setValues] = useState(() => readSessionSnapshot())
  const reread = useCallback(() => setValues(readSessionSnapshot()), [])
  useEffect(() => {
    const timer = setInterval(reread, SESSION_CHECK_MS)
    window.addEventListener('storage', reread)
    return () => {
      clearInterval(timer)
      window.removeEventListener('storage', reread)
    }
  }, [reread])
  return { values, reread }
}

export default function LogoutStateScreen() {
  const { values, reread } = useSessionSnapshot()
  const check = () => {
    if (!checkSession()) toast({ title: 'La session est active', variant: 'success', duration: 2000 })
    reread()
  }
  const clear = () => {
    clearLogoutHistory()
    reread()
  }
  return (
    <>
      <PageHeader
        title="État de déconnexion"
        description="La session de ce navigateur et ses dernières déconnexions. Rien de ceci ne quitte votre appareil."
        actions={
          <>
            <Confirm
              title="Effacer l’historique&nbsp;?"
              description="Les déconnexions enregistrées dans ce navigateur seront oubliées. Votre session reste ouverte."
              action="Effacer l’historique"
              onConfirm={clear}
              trigger={
                <Button variant="secondary" icon={<Trash2 aria-hidden="true" />} disabled={values.history.length === 0}>
                  Effacer l’historique
                </Button>
              }
            />
            <Button icon={<RefreshCw aria-hidden="true" />} onClick={check}>
              Vérifier maintenant
            </Button>
          </>
        }
      />
      <div className="grid gap-8">
        <SessionValues values={values} />
        <LogoutHistory history={values.history} />
      </div>
    </>
  )
}
