{{/* The templates use only the functions of Go's text/template, so `pnpm deploy:check` renders them without Helm. */}}

{{- define "lastro.labels" }}app.kubernetes.io/name: lastro, app.kubernetes.io/instance: {{ .Release.Name }}{{ end }}

{{- define "lastro.pod" }}
      # The server calls no API of Kubernetes, and needs no variables of other Services.
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        # The group that may read the mounted secrets.
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "lastro.container" }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: secrets, mountPath: /run/secrets/lastro, readOnly: true }
            # The first start writes the generated credentials to a file here.
            - { name: tmp, mountPath: /tmp }
{{- end }}
