import { CopyButton } from '../../ui/copy-button.tsx'

/** Shown once: the server keeps only their hashes. */
export const RecoveryCodes = ({ codes }: { codes: string[] }) => (
  <div className="grid gap-3 rounded-control border border-line bg-page p-4">
    <p className="text-body">
      Gardez ces codes de secours en lieu sûr&nbsp;: chacun remplace votre téléphone ou votre clé d’accès, une seule
      fois. Ils ne seront plus affichés.
    </p>
    <ul className="tabular grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-body sm:grid-cols-3">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div>
      <CopyButton text={codes.join('\n')} label="Copier les codes" />
    </div>
  </div>
)
