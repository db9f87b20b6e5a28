import type { SsoConnection } from '@voisol/contract/sso'
import { CopyButton } from '../../ui/copy-button.tsx'

const CopyableValue = ({ label, text }: { label: string; text: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-2.5 first:pt-0 last:pb-0">
    <dt className="basis-full text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="flex min-w-0 flex-1 basis-56 flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <span className="min-w-0 flex-1 basis-48 font-mono text-[0.8125rem] break-all">{text}</span>
      <CopyButton text={text} />
    </dd>
  </div>
)

/** What the provider must be told, each to be copied as it is. */
export const ServiceProviderDetails = ({ connection: { kind, given } }: { connection: SsoConnection }) => (
  <dl className="grid divide-y divide-line text-body">
    {kind === 'oidc' ? (
      <CopyableValue label="Adresse de retour (redirect URI)" text={given.redirectUri} />
    ) : (
      <>
        <CopyableValue label="Identifiant d’entité (entityID, audience)" text={given.entityId} />
        <CopyableValue label="Adresse de réception (ACS)" text={given.acsUrl} />
        <CopyableValue label="Métadonnées XML" text={given.metadataUrl} />
      </>
    )}
  </dl>
)
