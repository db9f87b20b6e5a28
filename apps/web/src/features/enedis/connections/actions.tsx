import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import KeyRound from 'lucide-react/icons/key-round'
import PlugZap from 'lucide-react/icons/plug-zap'
import Trash from 'lucide-react/icons/trash-2'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { ReplaceCredentialDialog } from './replace-dialog.tsx'
import { getScopeLabel, getTestTitle, isConnectionWorking } from './state.ts'

function TestButton({ credential }: { credential: EnedisCredential }) {
  const test = useAction(enedis.test, [enedis.overview])
  const run = () =>
    test.run({ params: { id: credential.id } }).then(
      ({ testMessage, ...tested }) =>
        toast({
          title: getTestTitle(tested),
          ...(testMessage && !isConnectionWorking(tested) && { description: testMessage }),
          variant: isConnectionWorking(tested) ? 'success' : 'destructive',
        }),
      (error: unknown) => toast({ title: 'Test impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="secondary"
      size="small"
      icon={<PlugZap aria-hidden="true" />}
      loading={test.isPending}
      onClick={() => void run()}
    >
      {credential.testedAt === null ? 'Tester la connexion' : 'Tester à nouveau'}
    </Button>
  )
}

export const CredentialActions = withAccess(enedis.test, ({ credential }: { credential: EnedisCredential }) => {
  const remove = useAction(enedis.remove, [enedis.overview])
  return (
    <>
      <TestButton credential={credential} />
      <ReplaceCredentialDialog
        credential={credential}
        trigger={
          <Button variant="secondary" size="small" icon={<KeyRound aria-hidden="true" />}>
            Remplacer
          </Button>
        }
      />
      <Confirm
        title="Retirer ces identifiants&nbsp;?"
        description={`Plus aucun appel ne partira pour «\u00a0${getScopeLabel(credential)}\u00a0» avec ces identifiants, et ils ne pourront pas être retrouvés. Les données déjà reçues restent.`}
        action="Retirer les identifiants"
        onConfirm={async () => {
          await remove.run({ params: { id: credential.id } })
          toast({ title: 'Identifiants retirés', variant: 'success' })
        }}
        trigger={
          <Button variant="quiet" size="small" icon={<Trash aria-hidden="true" />}>
            Retirer
          </Button>
        }
      />
    </>
  )
})
