import { auth } from '@voisol/contract/auth'
import { type Onboarding, onboarding } from '@voisol/contract/onboarding'
import { useNavigate } from 'react-router'
import { call } from '../../lib/call.ts'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { switchSessionCompany } from '../../lib/place.ts'
import { useAction } from '../../lib/queries.ts'
import { getHomePath } from '../../lib/redirect.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'

/** Goes into the example. The session has just learnt of it: who one is is asked again. */
function useOpenExample() {
  const navigate = useNavigate()
  return async (companyId: number) => {
    await navigate(getHomePath(await switchSessionCompany(await call(auth.me, {}), companyId)))
  }
}

export const TryExample = withAccess(onboarding.startExample, function Try() {
  const { run, isPending } = useAction(onboarding.startExample, [onboarding.get])
  const enter = useOpenExample()
  const startExample = async () => {
    try {
      await enter((await run({})).companyId)
    } catch (error) {
      toast({ title: 'L’exemple ne s’est pas ouvert', description: explainError(error), variant: 'destructive' })
    }
  }
  return (
    <Button variant="secondary" loading={isPending} onClick={() => void startExample()}>
      Essayer avec des données d’exemple
    </Button>
  )
})

/** Back into an example that exists, or rid of it. */
export const ExistingExample = withAccess(
  onboarding.removeExample,
  function Known({ example }: { example: NonNullable<Onboarding['example']> }) {
    const { run } = useAction(onboarding.removeExample, [onboarding.get])
    const enter = useOpenExample()
    const remove = async () => {
      await run({})
      await refreshUser()
      toast({ title: 'Exemple supprimé', variant: 'success' })
    }
    return (
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => void enter(example.companyId)}>
          Ouvrir l’exemple
        </Button>
        <Confirm
          title="Supprimer l’exemple&nbsp;?"
          description="Ses participants, ses courbes et ses factures disparaissent. Votre organisation n’en est pas touchée, et vous pourrez en refaire un."
          action="Supprimer l’exemple"
          onConfirm={remove}
          trigger={<Button variant="quiet">Supprimer l’exemple</Button>}
        />
      </div>
    )
  },
)
