import { connect } from 'node:net'

const PORT = Number(process.env.E2E_PORT ?? 4173) + 1000

/** Hands a message to the server as a mail server would. */
export async function sendInboundMail({ from, to, text }: { from: string; to: string; text: string }) {
  const socket = connect(PORT, '127.0.0.1').setEncoding('utf8')
  const waitForReply = () =>
    new Promise<string>((resolve, reject) => socket.once('data', resolve).once('error', reject))
  const body = `From: <${from}>\r\nTo: <${to}>\r\nSubject: Re: votre demande\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n.`
  const answers = [await waitForReply()]
  for (const line of ['HELO exemple.fr', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', body, 'QUIT']) {
    socket.write(`${line}\r\n`)
    answers.push(await waitForReply())
  }
  socket.destroy()
  return answers.at(-2) ?? ''
}
