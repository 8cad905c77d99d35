/** Where Debian keeps the certificates that its programs trust. */
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Makes an authority that the machine trusts. Lines of bash. */
export const makeAuthority = (): string => `mkdir -p /root/ca
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=authority -keyout /root/ca/ca.key -out /root/ca/ca.pem 2> /dev/null
  cat /root/ca/ca.pem >> ${CERTIFICATES}`;

/** Gives nginx a certificate of the authority. Lines of bash. */
export const signCertificate = (days: number): string => `(cd /root/ca && umask 077
  openssl req -newkey rsa:2048 -nodes -subj /CN=site.example -keyout /etc/nginx/tls/privkey.pem -out site.csr 2> /dev/null
  openssl x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days ${days} \\
    -extfile <(echo subjectAltName=DNS:site.example) -out /etc/nginx/tls/fullchain.pem 2> /dev/null)
  nginx -t && systemctl reload nginx`;
