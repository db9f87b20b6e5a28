import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { exportCompany, getCopyContentKey, getCopyManifestKey, listCopies, openCopyStore } from '../backups/backups.ts'
import { writeOutgoingFile } from './draft.ts'
import type { Shipment } from './shipments.ts'

export const companyCopyShipment: Shipment = {
  id: 'company-copy',
  label: 'Copie de l’organisation',
  about: 'Tout ce qui est à votre organisation, dans une archive que tout programme ouvre.',
  permission: 'backups.write',
  async *pack({ deps, actor, folder, today }) {
    const path = join(folder, 'copie.zip')
    await exportCompany(deps, actor.companyId, path)
    const name = `voisol-organisation-${today}.zip`
    yield { parcel: await writeOutgoingFile(folder, name, 'application/zip', createReadStream(path)) }
  },
}

/** The backup is already encrypted: whoever stores it cannot read it. */
export const installationCopyShipment: Shipment = {
  id: 'installation-copy',
  label: 'Dernière copie de l’installation',
  about: 'La copie chiffrée la plus récente de toute l’installation, et sa fiche.',
  permission: 'installation.write',
  async *pack({ deps, folder }) {
    const place = openCopyStore(deps.config)
    const [newest] = await listCopies(place)
    if (!newest) {
      yield { skip: 'Aucune copie de l’installation n’a encore été faite.' }
      return
    }
    const { name } = newest.manifest
    for (const [key, file, type] of [
      [getCopyContentKey(name), `${name}.voisol`, 'application/octet-stream'],
      // The manifest is sent last: a backup that has one is complete.
      [getCopyManifestKey(name), `${name}.json`, 'application/json'],
    ] as const) {
      const content = await place.stream(key)
      if (content) yield { parcel: await writeOutgoingFile(folder, file, type, content) }
    }
  },
}
