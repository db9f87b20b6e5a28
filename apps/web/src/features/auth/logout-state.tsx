import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { useCallback, useEffect, useState } from 'react'
import { CHECK_MS, checkSession } from '../../lib/activity.ts'
import { clearHistory } from '../../lib/session-records.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LogoutHistory } from './logout-history.tsx'
import { SessionValues } from './session-values.tsx'
import { takeSnapshot } from './snapshot.ts'

/** What this browser holds, read again as often as the product itself checks it. */
function useSnapshot() {
  const [values, setValues] = useState(() => takeSnapshot())
  const reread = useCallback(() => setValues(takeSnapshot()), [])
  useEffect(() => {
    const timer = setInterval(reread, CHECK_MS)
    window.addEventListener('storage', reread)
    return () => {
      clearInterval(timer)
      window.removeEventListener('storage', reread)
    }
  }, [reread])
  return { values, reread }
}

export default function LogoutStateScreen() {
  const { values, reread } = useSnapshot()
  const check = () => {
    if (!checkSession()) toast({ title: 'La session est active', variant: 'success', duration: 2000 })
    reread()
  }
  const clear = () => {
    clearHistory()
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
