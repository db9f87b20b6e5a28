import { EMPTY_NOTICE, LegalDocumentName, legal } from '@voisol/contract/legal'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { useServer } from '../../../../test/server.ts'
import { LEGAL_DOCUMENTS, listSubprocessors } from './legal-documents.ts'

const server = useServer()
const NOTICE = {
  ...EMPTY_NOTICE,
  publisher: 'Soleil | des Pentes',
  siren: '552081317',
  hostName: 'Hébergeur des Alpes',
}
const config = () => ({
  ...server.deps.config,
  SMTP_URL: 'smtps://compte:secret-du-compte@smtp-7.courrier.fr:465',
  FILES_S3_ENDPOINT: 'http://10.0.0.7:9000',
  BACKUP_S3_ENDPOINT: 'https://s3.coffre.fr',
  ANALYTICS_URL: undefined,
})

test('those who work on the data are those that the installation is set to, without a secret or a machine', () => {
  expect(listSubprocessors(NOTICE, config()).map(({ name, role }) => [name, role])).toEqual([
    ['Hébergeur des Alpes', 'Hébergement de l’application et de la base de données'],
    ['courrier.fr', 'Envoi des e-mails'],
    ['Un serveur de l’exploitant', 'Stockage des fichiers'],
    ['coffre.fr', 'Garde des copies de l’installation'],
  ])
  const { body } = LEGAL_DOCUMENTS['sous-traitants'](NOTICE, config())
  expect(body).not.toMatch(/secret-du-compte|10\.0\.0\.7|smtp-7/)
  expect(body).toContain('Soleil \\| des Pentes, SIREN 552081317')
})

test('what the operator has not said is said to be missing, never guessed', () => {
  expect(LEGAL_DOCUMENTS['accord-de-sous-traitance'](EMPTY_NOTICE, config()).body).toContain(
    'à renseigner dans ses mentions légales',
  )
})

test.each(LegalDocumentName.options)('%s is a PDF that anybody reads', async (name) => {
  const file = await call(server, legal.paper, { params: { name } })
  expect(file.status).toBe(200)
  expect(file.headers['content-type']).toBe('application/pdf')
})

test('the agreement says what article 28 asks for', async () => {
  const { body } = LEGAL_DOCUMENTS['accord-de-sous-traitance'](NOTICE, config())
  for (const word of [
    'instruction documentée',
    'confidentialité',
    'AES-256-GCM',
    'sous-traitants ultérieurs',
    'violation',
    'audits',
    'efface',
  ])
    expect(body).toContain(word)
  expect((await call(server, legal.paper, { params: { name: 'autre' } })).status).toBe(404)
})
