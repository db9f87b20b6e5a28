import { ApiKeyPage } from '../../features/admin/api-keys/list.tsx'
import { RightFields } from '../../features/identity/roles/rights.tsx'

/** The rights of a key are chosen as those of a role are. */
export default function ApiKeysPage() {
  return <ApiKeyPage Rights={RightFields} />
}
