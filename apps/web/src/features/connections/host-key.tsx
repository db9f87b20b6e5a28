import { type Connection, connections } from '@voisol/contract/connections'
import { withAccess } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FactList } from '../../ui/fact-list.tsx'

const AcceptKeyButton = withAccess(
  connections.acceptKey,
  ({ connection: { id, name, offeredKey } }: { connection: Connection }) => {
    const accept = useAction(connections.acceptKey, [connections.list])
    return (
      <Confirm
        title={'Accepter la nouvelle clé de ce serveur\u00a0?'}
        description={`Faites-le seulement si l’exploitant du serveur vous a confirmé l’empreinte ${offeredKey}. «\u00a0${name}\u00a0» est alors essayée, puis reprise.`}
        action="Accepter cette clé"
        onConfirm={() => accept.run({ params: { id }, body: { fingerprint: offeredKey } })}
        trigger={<Button variant="danger">Accepter la nouvelle clé</Button>}
      />
    )
  },
)

/** By which key the server is known; a new one is looked at beside it before anybody accepts it. */
export function HostKey({ connection }: { connection: Connection }) {
  const { hostKey, offeredKey } = connection
  if (!offeredKey) return null
  return (
    <section className="grid gap-4 rounded-card border border-danger/30 bg-danger-soft p-4">
      <h3 className="text-body font-semibold text-danger">Ce serveur a montré une autre clé</h3>
      <FactList
        facts={[
          { label: 'Clé connue', value: <code className="break-all">{hostKey}</code> },
          { label: 'Clé montrée', value: <code className="break-all">{offeredKey}</code> },
        ]}
      />
      <p className="text-body">
        Rien n’a été envoyé. Si l’exploitant n’a pas changé de clé, quelqu’un s’interpose&nbsp;: n’acceptez pas.
      </p>
      <div>
        <AcceptKeyButton connection={connection} />
      </div>
    </section>
  )
}
