// Generated from release/modules by `npm run generate`.
import type { ModuleDeclaration } from './module-declaration.ts';

export const moduleTable: readonly ModuleDeclaration[] = [
  {
    "name": "local-path",
    "category": "base",
    "description": {
      "en": "Volumes on the disks of the nodes (Local Path provisioner).",
      "ru": "Тома на дисках узлов (Local Path provisioner)."
    },
    "needs": [],
    "roles": [],
    "namespace": "nova-storage",
    "publishedPorts": [],
    "components": [
      "local-path-provisioner",
      "local-path-helper"
    ],
    "files": [],
    "settings": {
      "path": {
        "type": "string",
        "description": {
          "en": "The folder on the nodes for the volumes.",
          "ru": "Каталог томов на узлах."
        },
        "format": "path",
        "default": "/var/lib/nova/volumes"
      },
      "defaultClass": {
        "type": "boolean",
        "description": {
          "en": "Whether its storage class is the default of the cluster.",
          "ru": "Использовать ли его класс хранения в кластере по умолчанию."
        },
        "default": true
      }
    },
    "values": {
      "volumesPath": "${settings.path}",
      "isDefaultClass": "${settings.defaultClass | quote}"
    }
  },
  {
    "name": "ingress",
    "category": "base",
    "description": {
      "en": "Ingress controllers: one set on infra nodes for the platform, one on ingress nodes for applications.",
      "ru": "Контроллеры Ingress: один набор на узлах infra для платформы, другой на узлах ingress для приложений."
    },
    "needs": [],
    "roles": [
      "infra"
    ],
    "namespace": "nova-ingress",
    "publishedPorts": [],
    "certificateSecret": "ingress-default",
    "components": [
      "traefik"
    ],
    "files": [
      {
        "component": "traefik",
        "from": "crds",
        "to": "crds"
      }
    ],
    "settings": {},
    "values": {
      "infraIngressClass": {
        "if": "plan.isIngressShared",
        "use": "",
        "else": "nova-infra"
      },
      "infraNginxClass": {
        "if": "plan.isIngressShared",
        "use": "nginx",
        "else": "none"
      }
    }
  },
  {
    "name": "nova-dns",
    "category": "base",
    "description": {
      "en": "Serves the base domain from the infra nodes. Not installed when the base domain is forwarded to your own DNS servers.",
      "ru": "Обслуживает базовый домен на узлах infra. Не устанавливается, если базовый домен перенаправлен на ваши серверы DNS."
    },
    "needs": [
      "ingress"
    ],
    "roles": [
      "infra"
    ],
    "onlyIf": "internalDns",
    "namespace": "nova-dns",
    "publishedPorts": [
      "53/tcp",
      "53/udp"
    ],
    "reservedService": {
      "name": "nova-dns",
      "address": "novaDns",
      "selector": {
        "app": "nova-dns"
      },
      "ports": [
        {
          "name": "dns",
          "port": 53,
          "protocol": "UDP",
          "targetPort": 1053
        },
        {
          "name": "dns-tcp",
          "port": 53,
          "protocol": "TCP",
          "targetPort": 1053
        }
      ]
    },
    "components": [
      "coredns"
    ],
    "files": [],
    "settings": {},
    "values": {
      "novaDns": "${plan.novaDnsAddress}",
      "corefile": "${plan.novaDnsCorefile | quote}",
      "zone": "${plan.novaDnsZone | quote}",
      "zoneDigest": "${plan.novaDnsDigest | quote}"
    }
  },
  {
    "name": "metrics-server",
    "category": "additional",
    "description": {
      "en": "CPU and memory of nodes and pods for `kubectl top` and autoscaling.",
      "ru": "Загрузка процессора и памяти узлов и подов для `kubectl top` и автомасштабирования."
    },
    "needs": [],
    "roles": [],
    "namespace": "kube-system",
    "publishedPorts": [],
    "components": [
      "metrics-server"
    ],
    "files": [],
    "settings": {
      "resolutionSeconds": {
        "type": "integer",
        "description": {
          "en": "Interval at which metrics are collected from the nodes, in seconds.",
          "ru": "Интервал опроса узлов в секундах."
        },
        "minimum": 10,
        "maximum": 300,
        "default": 15
      }
    },
    "values": {
      "resolutionSeconds": "${settings.resolutionSeconds}"
    }
  }
];
